import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MORTISE } from '../../bench/workplace.mjs';
import { loadTestModules } from '../published/test-modules.mjs';

const EXAMPLES = new URL('../../test/cases/published-examples.json', import.meta.url);
const PROXY = fileURLToPath(new URL('../faults/proxy.mjs', import.meta.url));
const MODES = [false, true];
/** The result of the first example: those before it answer `initialize` and a call that clears a cache. */
const FORGED_RESULT = '3';

/** Every example of the published contract, and each result against the schema of the contract. */
export const publishedDocuments = {
  name: 'published-documents',
  async missing() {
    return process.platform === 'win32' ? 'the dotnet that prints what an example says is a script' : undefined;
  },
  async run({ workplace, signal }) {
    return tryExamples(await loadTestModules(workplace), { rows: readRows(), signal });
  },
  /** In one result, a member has another type. */
  async control({ workplace, signal }) {
    const options = { rows: readRows().slice(0, 1), proxy: [PROXY, 'retype', FORGED_RESULT, process.execPath], signal };
    const { failures } = await tryExamples(await loadTestModules(workplace), options);
    return failures.some((text) => text.includes('of contract'));
  },
};

const readRows = () => JSON.parse(readFileSync(EXAMPLES, 'utf8')).cases;

async function tryExamples(modules, { rows, proxy = [], signal }) {
  const dotnet = modules.makeScriptedDotnet();
  const { folder, config } = dotnet.workplace;
  const nothing = join(folder, 'nothing');
  mkdirSync(nothing);
  const connect = (env) => openClient({ args: [...proxy, MORTISE, 'serve', '--config', config], env, cwd: folder });
  const server = await connect(dotnet.env);
  const bare = await connect({ ...dotnet.env, PATH: nothing });
  const failures = [];
  let tried = 0;
  try {
    for (const row of rows) {
      for (const machineReadable of MODES) {
        if (signal?.aborted) break;
        const call = { name: row.tool, arguments: { ...row.arguments, ...(machineReadable && { machineReadable }) } };
        const result = await resultOf(call, row, { dotnet, server, bare });
        const faults = [
          ...modules.contractFaults(call, { result }),
          ...exampleFaults(modules, result, { row, machineReadable }),
        ];
        tried += 1;
        failures.push(
          ...faults.map((fault) => `${row.id} ${row.title}${machineReadable ? ', as JSON' : ''}: ${fault}`),
        );
      }
    }
    return { tried, failures, notes: [`${rows.length} examples, each as text and as JSON`] };
  } finally {
    await Promise.all([server.close(), bare.close()]);
    modules.removeWorkplace(dotnet.workplace);
  }
}

async function openClient({ args, env, cwd }) {
  const client = new Client({ name: 'prove', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd, stderr: 'ignore' }));
  return client;
}

/** Calls what the example is shown for. */
async function resultOf(call, row, { dotnet, server, bare }) {
  const globalJson = join(dotnet.workplace.folder, 'global.json');
  if (row.globalJson) writeFileSync(globalJson, JSON.stringify(row.globalJson));
  else if (existsSync(globalJson)) rmSync(globalJson);
  dotnet.print(row.printed ?? {});
  await server.callTool({ name: 'dotnet_sdk', arguments: { action: 'ClearTemplateCache' } });
  const held = row.during && dotnet.hold();
  const during = row.during && server.callTool({ name: row.during.tool, arguments: row.during.arguments });
  await held?.started();
  const result = await (row.withoutDotnet ? bare : server).callTool(call);
  held?.release();
  await during;
  return result;
}

/** An example in the form of the result's data is compared with that, and an envelope with the JSON text. */
function exampleFaults({ exampleDifferences }, result, { row, machineReadable }) {
  const isFailure = row.example.success === false;
  const faults = (result.isError ?? false) === isFailure ? [] : [`isError is ${result.isError}`];
  const compare = (value) => exampleDifferences(value, row.example, row.differs);
  if (row.form === 'structured' || (isFailure && !machineReadable))
    return [...faults, ...compare(result.structuredContent)];
  return machineReadable ? [...faults, ...compare(JSON.parse(result.content[0].text))] : faults;
}
