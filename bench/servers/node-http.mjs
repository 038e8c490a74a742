import { createServer } from 'node:http';
import { answer } from './answer.mjs';
import { httpPort } from './arguments.mjs';

/** What answering JSON over HTTP costs before any of MCP is done. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = answer(chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString());
    if (body === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(httpPort, '127.0.0.1', () => console.error(`http://127.0.0.1:${httpPort}/mcp`));
