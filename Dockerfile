# Two images from one file: `app` (web, worker, mirror, ml-worker, beat) and `label-studio`. Both run as an ordinary user.
FROM python:3.11-slim AS base
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN useradd --create-home --uid 10001 attune && install -d -o attune -g attune -m 700 /data
VOLUME /data

FROM base AS app
WORKDIR /app
COPY requirements/app.txt requirements/app.txt
# The usual build of torch brings gigabytes of libraries for graphics cards: name an index of CPU builds to do without them.
ARG PIP_EXTRA_INDEX_URL=""
RUN python -m pip install -r requirements/app.txt
COPY manage.py pyproject.toml ./
COPY codebook codebook
COPY corpus corpus
COPY annotation annotation
COPY analysis analysis
COPY ml_backend ml_backend
COPY backend backend
USER attune
ENV ATTUNE_MODE=production ATTUNE_DATA_DIR=/data
EXPOSE 8000
CMD ["gunicorn", "backend.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", "--no-control-socket"]

FROM base AS label-studio
WORKDIR /app
COPY requirements/label-studio.txt requirements/label-studio.txt
RUN python -m pip install -r requirements/label-studio.txt
COPY backend/label_studio/overlay overlay
USER attune
ENV PYTHONPATH=/app/overlay DJANGO_SETTINGS_MODULE=attune_gate.settings LABEL_STUDIO_BASE_DATA_DIR=/data \
    LABEL_STUDIO_LATEST_VERSION_CHECK=false LOG_LEVEL=WARNING PYTHONWARNINGS=ignore
EXPOSE 8080
CMD ["python", "-m", "attune_gate.serve", "--host", "0.0.0.0", "--port", "8080"]
