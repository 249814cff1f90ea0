# The bot as a container, for other CI systems and for a terminal:
#   docker run --rm -v "$PWD:/work" -w /work dryrun-bot demo
FROM python:3.13-slim-bookworm

# git reads the repository's objects; nothing else of the system is used.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/dryrun-bot
COPY pyproject.toml uv.lock README.md LICENSE ./
COPY bot ./bot
RUN python -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check uv==0.13.8 \
 && UV_PROJECT_ENVIRONMENT=/opt/venv /opt/venv/bin/uv sync --quiet --frozen --no-dev --inexact --no-editable --no-cache

ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1
RUN useradd --create-home --uid 10001 bot
USER 10001
WORKDIR /work
ENTRYPOINT ["dryrun-bot"]
CMD ["--help"]
