# Three images from one file: `app` (web, worker, sync, ml-worker, beat), `label-studio` and `front`. All run as an
# ordinary user.
FROM python:3.11-slim-bookworm AS base
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN useradd --create-home --uid 10001 attune && install -d -o attune -g attune -m 700 /data
VOLUME /data

FROM base AS app
WORKDIR /app
# Backups are made by PostgreSQL's own programs, of the same version as the server in docker-compose.yml.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-15 && rm -rf /var/lib/apt/lists/*
RUN install -d -o attune -g attune -m 700 /backups
VOLUME /backups
COPY requirements/app.txt requirements/cluster.txt requirements/
# requirements/cluster.txt adds Ray, for several machines
ARG REQUIREMENTS=requirements/app.txt
# The usual build of torch brings gigabytes of libraries for graphics cards: name an index of CPU builds to do without them.
ARG PIP_EXTRA_INDEX_URL=""
RUN python -m pip install -r "$REQUIREMENTS"
COPY manage.py pyproject.toml ./
COPY codebook codebook
COPY corpus corpus
COPY annotation annotation
COPY learning learning
COPY analysis analysis
COPY ml_backend ml_backend
COPY backend backend
COPY mkdocs.yml CONTRIBUTING.md ./
COPY docs docs
COPY scripts/docs_site scripts/docs_site
RUN python -m mkdocs build --strict --quiet
USER attune
ENV ATTUNE_MODE=production ATTUNE_DATA_DIR=/data
EXPOSE 8000
CMD ["gunicorn", "backend.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", "--no-control-socket"]

FROM base AS label-studio
WORKDIR /app
COPY requirements/label-studio.txt requirements/label-studio.txt
RUN python -m pip install -r requirements/label-studio.txt
COPY backend/annotate/label_studio/overlay overlay
USER attune
ENV PYTHONPATH=/app/overlay DJANGO_SETTINGS_MODULE=attune_access.settings LABEL_STUDIO_BASE_DATA_DIR=/data \
    LABEL_STUDIO_LATEST_VERSION_CHECK=false LOG_LEVEL=WARNING PYTHONWARNINGS=ignore
EXPOSE 8080
CMD ["python", "-m", "attune_access.serve", "--host", "0.0.0.0", "--port", "8080"]

FROM caddy:2 AS front
# It listens above port 1024 and needs no capability; the one that its program carries would keep it from starting.
RUN adduser -D -u 10001 attune && setcap -r /usr/bin/caddy && chown attune /data /config
COPY Caddyfile /etc/caddy/Caddyfile
USER attune
EXPOSE 8080 8443
