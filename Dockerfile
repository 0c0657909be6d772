# mdbench lint and mdbench update, without pages, editors and clusters. See docs/ci.md.
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY mdbench mdbench
COPY templates templates
COPY docs/rules docs/rules
RUN python -m venv /opt/mdbench \
    && /opt/mdbench/bin/python -m pip install --no-cache-dir --disable-pip-version-check '.[query]' \
    && /opt/mdbench/bin/python -m pip uninstall --yes pip

FROM python:3.13-slim
COPY --from=build /opt/mdbench /opt/mdbench
COPY docker-entrypoint.sh /usr/local/bin/mdbench
RUN useradd --create-home --uid 1000 mdbench
USER 1000
WORKDIR /work
# The folder of the reports may belong to another user: nothing is written there but what was asked for.
ENV MDBENCH_CACHE_DIR=/tmp/mdbench-cache PYTHONDONTWRITEBYTECODE=1
ENTRYPOINT ["/usr/local/bin/mdbench"]
CMD ["lint"]
