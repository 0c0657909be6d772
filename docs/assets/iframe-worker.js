// A page that is opened from a disk may not start a worker, and the search of the theme is one.
// There, and only there, the script of the worker runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = this.onerror = this.onmessageerror = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html>";
      this.frame.addEventListener("load", () => this.start(String(url)), { once: true });
      document.documentElement.append(this.frame);
    }

    start(url) {
      const scope = this.frame.contentWindow;
      if (!scope) return;
      // What the script posts goes to this page; by itself the frame would post to itself.
      scope.postMessage = (data) => this.send(this, data);
      const script = scope.document.createElement("script");
      script.src = url;
      script.onerror = (event) => this.onerror?.(event);
      script.onload = () => {
        const waiting = this.waiting;
        this.waiting = null;
        for (const data of waiting) this.postMessage(data);
      };
      scope.document.body.append(script);
    }

    // Like a worker: a copy of the data, and not before the sender is done.
    send(target, data) {
      const event = new MessageEvent("message", { data: structuredClone(data) });
      setTimeout(() => {
        if (target === this) this.onmessage?.(event);
        target.dispatchEvent(event);
      });
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else if (this.frame.contentWindow) this.send(this.frame.contentWindow, data);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
