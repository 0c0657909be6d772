#!/bin/sh
# The commands of the image: it is made to check reports and to update their tables.
case "${1:-}" in
  lint | update | explain | rules | help | --help | -h | --version) exec /opt/mdbench/bin/mdbench "$@" ;;
  *)
    echo "mdbench: this image has only lint and update" >&2
    exit 2
    ;;
esac
