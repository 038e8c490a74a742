// Writes docs/definitions/<tool>.json: each tool of Mortise itself as tools/list shows it to a client (MCP 2025-11-25). A change of
// a definition is seen in review as a change of its file. With --check: exits with 1 when a file differs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onlyPages } from './dotnet-docs/pages.mjs';
import { generated } from './generated.mjs';

const folder = mkdtempSync(join(tmpdir(), 'mortise-definitions-'));
try {
  const config = join(folder, 'appsettings.json');
  writeFileSync(config, JSON.stringify({ Plugins: { Enabled: true }, Dotnet: { Enabled: true } }));
  const program = fileURLToPath(new URL('../packages/server/bin/mortise.mjs', import.meta.url));
  const client = new Client({ name: 'definitions', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'serve', '--config', config],
      cwd: folder,
      stderr: 'ignore',
    }),
  );
  const { tools } = await client.listTools();
  await client.close();
  for (const tool of tools) generated(`docs/definitions/${tool.name}.json`, `${JSON.stringify(tool, null, 2)}\n`);
  onlyPages(
    'docs/definitions',
    tools.map(({ name }) => `${name}.json`),
    '.json',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
