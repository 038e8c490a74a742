import { createInterface } from 'node:readline';

/** What answering a line of JSON costs before any of MCP is done. */
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'tools/call'
      ? { content: [{ type: 'text', text: params.arguments.text }] }
      : { tools: [{ name: 'echo' }] };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
