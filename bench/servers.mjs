import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SESSIONS, STATELESS } from './client/protocol.mjs';
import { freePort, GOOD_PLUGINS } from './workplace.mjs';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const versionOf = (name) => dependencies[name];
const CSHARP_PROJECT = readFileSync(new URL('servers/official-csharp/official-csharp.csproj', import.meta.url), 'utf8');
const [, CSHARP_VERSION] = /"ModelContextProtocol\.Core" Version="([^"]+)"/.exec(CSHARP_PROJECT);
let isDotnetThere;
const hasDotnet = () => (isDotnetThere ??= spawnSync('dotnet', ['--version']).status === 0);

const fixture =
  (name) =>
  (workplace, { port, tools, version, list }) =>
    workplace.fixture(name, [
      `--tools=${tools}`,
      ...(port === undefined ? [] : [`--http=${port}`]),
      ...(version === STATELESS ? ['--stateless'] : []),
      ...(list === undefined ? [] : [`--list=${list}`]),
    ]);

const mortise =
  (Isolation) =>
  (workplace, { port, tools }) =>
    workplace.mortise(
      { Plugins: { Directory: GOOD_PLUGINS, Isolation, Config: { tools } } },
      port === undefined ? [] : ['--http', '--port', `${port}`],
    );

/** All servers that are measured. */
export const SERVERS = {
  floor: {
    title: 'line echo',
    meaning: 'Reads a line, parses it, writes a line; nothing of MCP is done. The floor for a server over stdio.',
    transports: ['stdio'],
    versions: [SESSIONS, STATELESS],
    command: fixture('line-echo'),
  },
  relay: {
    title: 'line relay',
    meaning:
      'The line echo behind one more process, which passes lines on. The floor for a tool in a process of its own.',
    transports: ['stdio'],
    versions: [SESSIONS, STATELESS],
    command: fixture('line-relay'),
  },
  parsingRelay: {
    title: 'parsing relay',
    meaning:
      'The line relay, but each message is parsed, gets another id and is written again, in both directions: the least that a server does which looks at what it passes on. Nothing is checked.',
    transports: ['stdio'],
    versions: [SESSIONS, STATELESS],
    command: fixture('parsing-relay'),
  },
  nodeHttp: {
    title: 'node:http',
    meaning:
      'A bare `node:http` server that parses the body, and writes a response as JSON; nothing of MCP is done. The floor for a server over HTTP.',
    transports: ['http'],
    versions: [SESSIONS, STATELESS],
    command: fixture('node-http'),
  },
  bareSdk: {
    title: 'bare SDK',
    meaning: `The low-level \`Server\` of \`@modelcontextprotocol/server\` ${versionOf('@modelcontextprotocol/server')}, which does not validate arguments: on \`StdioServerTransport\` for ${SESSIONS} and by \`serveStdio\` for ${STATELESS}; over HTTP a \`NodeStreamableHTTPServerTransport\` for each session of ${SESSIONS} and \`createMcpHandler\` for ${STATELESS}, with their defaults.`,
    versions: [SESSIONS, STATELESS],
    command: fixture('bare-sdk'),
  },
  official: {
    title: 'TypeScript SDK',
    meaning: `The official \`@modelcontextprotocol/server\` ${versionOf('@modelcontextprotocol/server')}: \`serveStdio\`, and \`createMcpHandler\` behind \`node:http\`, which serves ${SESSIONS} without sessions.`,
    versions: [SESSIONS, STATELESS],
    command: fixture('official'),
  },
  fastmcp: {
    title: 'fastmcp 4',
    meaning: `\`fastmcp\` ${versionOf('fastmcp')}, with its defaults. It does not speak ${STATELESS}.`,
    versions: [SESSIONS],
    command: fixture('fastmcp'),
  },
  csharp: {
    title: 'C# SDK',
    meaning: `The official \`ModelContextProtocol.Core\` ${CSHARP_VERSION} on .NET, over stdio.`,
    transports: ['stdio'],
    versions: [SESSIONS, STATELESS],
    isThere: hasDotnet,
    command: (workplace, { tools }) => workplace.csharp([`--tools=${tools}`]),
  },
  inProcess: {
    title: 'mortise, in process',
    meaning: '`mortise serve` with `Plugins.Isolation` `none`: the plugin runs in the server.',
    versions: [SESSIONS, STATELESS],
    command: mortise('none'),
  },
  process: {
    title: 'mortise, plugin process',
    meaning: '`mortise serve` as it is by default: the plugin runs in a process of its own.',
    versions: [SESSIONS, STATELESS],
    command: mortise('process'),
  },
};

/** Every transport with every version. */
export const WAYS = ['stdio', 'http'].flatMap((transport) =>
  [SESSIONS, STATELESS].map((version) => ({ title: `${transport} ${version}`, transport, version })),
);

/** The servers that are compared in a table, in the order of its columns, and the one that the others are compared with. */
export const TABLES = {
  transports: { title: 'Transports', names: ['floor', 'nodeHttp', 'bareSdk', 'inProcess'], reference: 'bareSdk' },
  worker: { title: 'A plugin process', names: ['relay', 'parsingRelay', 'bareSdk', 'process'], reference: 'bareSdk' },
  authors: { title: 'What an author writes', names: ['official', 'fastmcp', 'process'], reference: 'official' },
  starts: { title: 'Starts', names: ['bareSdk', 'inProcess', 'process'], reference: 'bareSdk' },
  servers: {
    ...{ title: 'Servers', names: ['floor', 'relay', 'official', 'fastmcp', 'csharp', 'inProcess', 'process'] },
    reference: 'official',
  },
};

/** The names of the table's servers that speak it and can run on this machine. */
export function serversFor({ transport, version }, { names } = TABLES.servers) {
  return names.filter((name) => {
    const { transports, versions, isThere } = SERVERS[name];
    return (transports?.includes(transport) ?? true) && versions.includes(version) && (isThere?.() ?? true);
  });
}

/** How the server is started, with so many tools. */
export async function commandOf(name, workplace, { transport = 'stdio', version, tools = 1, list } = {}) {
  const port = transport === 'http' ? await freePort() : undefined;
  return SERVERS[name].command(workplace, { port, tools, version, list });
}
