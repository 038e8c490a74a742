import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';

/** The status of the answer to a request, byte by byte as it is given. */
async function statusOf(port: number, headers: readonly string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.end(
    ['POST /mcp HTTP/1.1', ...headers, 'Content-Type: application/json', 'Content-Length: 2', '', '{}'].join('\r\n'),
  );
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return Number(String(answer).split(' ')[1]);
}

it('a request with two Host headers is refused with 400, whatever they say', async () => {
  const { url } = await startHttp(createWorkplace());
  const port = Number(new URL(url).port);
  const own = `127.0.0.1:${port}`;
  const rows: [string[], number][] = [
    [[`Host: ${own}`, `Host: ${own}`], 400],
    [[`Host: ${own}`, 'Host: evil.example'], 400],
    [['Host: evil.example', `Host: ${own}`], 400],
    [[`Host: ${own}`, `host: ${own}`], 400],
    [[`HOST: ${own}`, 'Accept: */*', 'hOST: localhost'], 400],
    [[`Host: ${own}`, 'Host:'], 400],
    [['Host: evil.example'], 403],
  ];
  for (const [headers, status] of rows) expect(await statusOf(port, headers), headers.join(', ')).toBe(status);
  console.log(`Host headers: ${rows.length} tried, ${rows.length} held`);
});
