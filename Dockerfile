# The bot as a container: for `docker run`, self-hosted runners, and other CI systems.
#
#   docker build -t dryrun-bot .
#   docker run --rm dryrun-bot demo --out /tmp/demo
#   docker run --rm -v "$PWD:/work" -e OPENAI_API_KEY dryrun-bot run "fix the typos in docs/" --dry-run
#
# The same image whoever builds it: the base by digest, everything of Python by the hashes of uv.lock.
# Another base: --build-arg PYTHON=... (Python 3.11 or newer, with pip, on Debian).
ARG PYTHON=docker.io/library/python:3.13.14-slim-bookworm@sha256:67a1e1f215ccda113cfc024e8639049257e88f273898f595b61476d128d387e8

FROM ${PYTHON} AS build

# binutils for `strip`: as it is published, ripgrep is 26 MB, of which 21 are for debuggers.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends binutils git \
 && rm -rf /var/lib/apt/lists/*

# git alone, 6 MB of it: it works on objects that are there (libgit2 fetches). Its remotes and Perl are left out.
# http-backend is for the demo, which is a server.
RUN mkdir --parents /git/usr/bin /git/usr/lib/git-core \
 && cp --archive /usr/bin/git /usr/bin/git-upload-pack /git/usr/bin/ \
 && find /usr/lib/git-core \( -lname git -o -lname '*/bin/git' -o -name git-http-backend \) -exec cp --archive {} /git/usr/lib/git-core/ \;

ENV UV_PROJECT_ENVIRONMENT=/opt/dryrun-bot UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=copy UV_NO_CACHE=1
COPY uv.txt /src/
RUN python -m venv --without-pip /opt/dryrun-bot \
 && pip install --no-cache-dir --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
      --require-hashes --requirement /src/uv.txt

# What changes seldom comes first: as long as uv.lock is the same, its packages are not fetched again. The bot is
# only put on the path: to build it would bring a build backend that no lock names.
WORKDIR /src
COPY pyproject.toml uv.lock ./
RUN uv sync --quiet --frozen --no-dev --no-config --no-install-project --no-build --system-certs --compile-bytecode \
 && strip /opt/dryrun-bot/bin/rg
COPY bot /opt/dryrun-bot/src/bot
RUN echo /opt/dryrun-bot/src > "$(/opt/dryrun-bot/bin/python -I -c 'import site; print(site.getsitepackages()[0])')/dryrun-bot.pth" \
 && printf '#!/bin/sh\nexec /opt/dryrun-bot/bin/python -I -m bot "$@"\n' > /opt/dryrun-bot/bin/dryrun-bot \
 && chmod +x /opt/dryrun-bot/bin/dryrun-bot \
 && python -m compileall -q /opt/dryrun-bot/src

FROM ${PYTHON}

COPY --from=build /git /
COPY --from=build /opt/dryrun-bot /opt/dryrun-bot

# The number of the user on GitHub's hosted runners, so that the folders they mount can be written.
RUN git --version && /opt/dryrun-bot/bin/rg --version && useradd --create-home --uid 1001 bot

ENV PATH=/opt/dryrun-bot/bin:$PATH PYTHONUNBUFFERED=1
USER 1001
WORKDIR /work
ENTRYPOINT ["dryrun-bot"]
CMD ["--help"]
