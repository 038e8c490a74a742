import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MORTISE } from '../../bench/workplace.mjs';
import { packed } from './package.mjs';
import { openPage } from './page.mjs';
import { DOTNET, PLUGIN } from './plugin.mjs';
import { stringsOf } from './strings.mjs';

/** Where texts come out. */
const SOURCES = [
  ...['messages', 'stderr', 'command', 'package', 'metrics'],
  ...['page reload', 'page problems', 'page lists', 'page calls', 'page history'],
];
const nothing = () => Object.fromEntries(SOURCES.map((source) => [source, '']));

/** A server, its client, and all that has come out of it. */
export async function openServer({ workplace }, preload = []) {
  const texts = join(workplace, 'texts.json');
  const audit = join(workplace, `audit-${preload.length}.jsonl`);
  const config = join(workplace, `appsettings-${preload.length}.json`);
  mkdirSync(join(workplace, 'plugins'), { recursive: true });
  writeFileSync(texts, '[]');
  writeFileSync(join(workplace, 'plugins/leaky.cjs'), PLUGIN.replaceAll('TEXTS', JSON.stringify(texts)));
  const settings = {
    Plugins: { Directory: join(workplace, 'plugins') },
    Dotnet: { Enabled: true },
    Audit: { File: audit, Arguments: 'redacted' },
  };
  writeFileSync(config, JSON.stringify(settings));
  const bin = join(workplace, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = DOTNET.replace('NODE', process.execPath).replace('TEXTS', JSON.stringify(texts));
  writeFileSync(join(bin, 'dotnet'), program);
  chmodSync(join(bin, 'dotnet'), 0o755);
  const env = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: workplace,
    TMPDIR: workplace,
    XDG_CONFIG_HOME: workplace,
    PROVE_TEXTS: texts,
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...preload, MORTISE, 'serve', '--config', config],
    ...{ env, cwd: workplace, stderr: 'pipe' },
  });
  const client = new Client({ name: 'prove', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const output = nothing();
  let page;
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  transport.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  await client.connect(transport);
  // Everything that the server sends, whatever it is: a text is looked for as it is and as JSON has it.
  const { onmessage } = transport;
  transport.onmessage = (message, ...more) => {
    output.messages += `${stringsOf(message)}\n`;
    onmessage(message, ...more);
  };
  let auditChars = 0;
  return {
    client,
    write: (cases) => writeFileSync(texts, JSON.stringify(cases.map(({ text }) => text))),
    command: () => {
      const args = [MORTISE, 'call', 'all', '--config', config];
      const { stdout, stderr } = spawnSync(process.execPath, args, { env, cwd: workplace, maxBuffer: 2 ** 27 });
      output.command += `${stdout}${stderr}`;
      for (const [, file] of `${stderr}`.matchAll(/The whole output is in (.+)/g))
        output.command += readFileSync(file, 'utf8');
    },
    async page() {
      page ??= await openPage({ workplace, output });
      return page;
    },
    pack: (cases) => {
      output.package += packed({ workplace }, cases);
    },
    /** What came out since the last time, by source. */
    taken() {
      const lines = readFileSync(audit, 'utf8');
      const taken = { ...output, audit: unquoted(lines.slice(auditChars)) };
      auditChars = lines.length;
      Object.assign(output, nothing());
      return taken;
    },
    async close() {
      await page?.close();
      await client.close();
    },
  };
}

const unquoted = (lines) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => stringsOf(JSON.parse(line)))
    .join('\n');
