import { connectHttp } from './http.mjs';
import { open } from './protocol.mjs';
import { connectStdio } from './stdio.mjs';

const TRANSPORTS = { stdio: connectStdio, http: connectHttp };

/** A client of a server that it starts, with its session open. */
export async function connect(command, { transport = 'stdio', version }) {
  const client = await TRANSPORTS[transport](command, version);
  await open(client);
  return client;
}

/** From the start of the process to the first list of tools. The client is left open. */
export async function startToFirstAnswer(command, way) {
  const startedAt = performance.now();
  const client = await connect(command, way);
  const { message } = await client.request('tools/list');
  return { ms: performance.now() - startedAt, client, tools: message.result.tools };
}
