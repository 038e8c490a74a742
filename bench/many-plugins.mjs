import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startToFirstAnswer } from './client/index.mjs';
import { SESSIONS } from './client/protocol.mjs';

/** The source of a plugin with one tool. */
export function pluginSource(name, description = 'Gives the text back.', textSchema = { type: 'string' }) {
  return `export function register(api) {
  api.registerTool({
    name: '${name}',
    description: '${description}',
    inputSchema: { type: 'object', properties: { text: ${JSON.stringify(textSchema)} }, required: ['text'] },
    run: ({ text }) => text,
  });
}
`;
}

/** A folder of so many plugins: their files. */
export function writePlugins(folder, count) {
  return Array.from({ length: count }, (_, index) => {
    const file = join(folder, `echo-${index}.mjs`);
    writeFileSync(file, pluginSource(`echo_${index}`));
    return file;
  });
}

/** A folder of plugins whose list is remembered; made once, for its first start takes long. */
export function createManyPlugins(workplace, count) {
  let made;
  return () => {
    made ??= make(workplace, count);
    return made;
  };
}

async function make(workplace, count) {
  const folder = workplace.folder();
  const files = writePlugins(folder, count);
  const settings = { Plugins: { Directory: folder } };
  const { ms, client, tools } = await startToFirstAnswer(workplace.mortise(settings), { version: SESSIONS });
  await client.stop();
  if (tools.length < count) throw new Error(`Only ${tools.length} tools of ${count} plugins are listed`);
  return { count, settings, files, firstStartMs: ms };
}
