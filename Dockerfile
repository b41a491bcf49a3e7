# The service with its models: docker build -t sector . && docker run -p 8000:8000 sector
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m venv /opt/sector && /opt/sector/bin/pip install --no-cache-dir '.[serve]'

FROM python:3.13-slim
LABEL org.opencontainers.image.title="sector" \
      org.opencontainers.image.description="Splits documents into labelled topical sections, offline." \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin sector
COPY --from=build /opt/sector /opt/sector
ENV PATH=/opt/sector/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1
USER 10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=15s --start-period=90s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=12)"]
ENTRYPOINT ["sector", "serve", "--host", "0.0.0.0"]
CMD ["--port", "8000"]
