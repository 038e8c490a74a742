import { expect } from 'vitest';
import { mount, open, serverFile } from './mounted.js';

/** The arguments that start a server, and its script. */
type Script = readonly [args: string[], file: string];

export const SCRIPTS = {
  second: [['--import', './hook.mjs', 'server.mjs'], 'server.mjs'],
  folder: [['server'], 'server/index.mjs'],
  own: [['.'], 'index.js'],
} satisfies Record<string, Script>;

/** Servers whose scripts have changed say at the next start what they offer now. */
export async function changeScripts(scripts: Readonly<Record<string, Script>>): Promise<void> {
  const servers = Object.entries(scripts).map(([name, [args]]) => [name, { command: process.execPath, args }]);
  const workplace = mount(Object.fromEntries(servers));
  workplace.write('hook.mjs', '');
  workplace.write('server/package.json', '{ "main": "index.mjs" }');
  const writeScripts = (tool: string) => {
    const name = JSON.stringify(workplace.write(tool, tool));
    for (const [, file] of Object.values(scripts))
      workplace.write(file, `process.env.NAME_FILE = ${name}; import(${JSON.stringify(serverFile('named'))});`);
  };
  const names = async () => {
    const client = await open(workplace);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_'));
  };
  const namesOf = (tool: string) =>
    Object.keys(scripts)
      .sort()
      .map((name) => `mcp_${name}_${tool}`);
  writeScripts('old');
  expect(await names()).toEqual(namesOf('old'));
  writeScripts('newer');
  expect(await names()).toEqual(namesOf('newer'));
}
