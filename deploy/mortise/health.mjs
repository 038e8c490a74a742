// Exits with 0 if the server of this container runs. `degraded` counts as running.
const port = process.env.Http__Port ?? '3333';
const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
