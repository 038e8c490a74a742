// Writes docs/dotnet-tools.md, docs/dotnet-errors.md, the pages below docs/dotnet and docs/spec/errors.md#mcp-error-codes from the tables
// of @mortise/dotnet, the recorded examples and the report on the dictionary. With --check: exits with 1 when a file differs.
import { readFileSync } from 'node:fs';
import { CATALOG_CODES, findCode } from '../packages/dotnet/build/advice/codes/code-catalog.js';
import { TOOLS } from '../packages/dotnet/build/tools/index.js';
import { errorPage } from './dotnet-docs/error-page.mjs';
import { cell, code, GENERATED_NOTICE, table } from './dotnet-docs/markdown.mjs';
import { onlyPages } from './dotnet-docs/pages.mjs';
import { toolPage } from './dotnet-docs/tool-page.mjs';
import { generated, generatedPart } from './generated.mjs';

const readJson = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
const PROVOKED = 'packages/dotnet/test/diagnostics/provoked';

const examples = readJson('docs/dotnet/examples.json');
const { sdk, provoked } = readJson(`${PROVOKED}/report.json`);
const notProvoked = readJson(`${PROVOKED}/not-provoked.json`);

for (const tool of TOOLS) {
  const own = examples.filter((example) => example.tool === tool.name);
  generated(`docs/dotnet/${tool.name}.md`, toolPage(tool, own, sdk));
}
onlyPages(
  'docs/dotnet',
  TOOLS.map(({ name }) => `${name}.md`),
);

const entries = CATALOG_CODES.map(findCode);
for (const entry of entries) {
  const seen = { provoked: provoked[entry.code], notProvoked: notProvoked[entry.code], sdk };
  generated(`docs/dotnet/errors/${entry.code}.md`, errorPage(entry, seen));
}
onlyPages(
  'docs/dotnet/errors',
  CATALOG_CODES.map((name) => `${name}.md`),
);

const toolRows = TOOLS.map(({ name, title, description, actions }) => {
  const names = Object.keys(actions).filter((action) => action !== '');
  return [`[${code(name)}](dotnet/${name}.md)`, title, cell(description), names.join(', ')];
});

generated(
  'docs/dotnet-tools.md',
  `${GENERATED_NOTICE}
# The .NET tools

Each has a page with its actions, parameters and examples with their real results.

${table(['Tool', 'Title', 'For', 'Actions'], toolRows)}

A parameter that the action does not accept is an error, which names the actions that accept it. Relative paths start at \`workingDirectory\`. An action
that holds a lock waits while another one writes to the same project, solution or folder: \`waitSeconds\`, else five seconds
(\`Concurrency.WaitMs\`), but never longer than \`timeoutSeconds\`; 0 does not wait. Then it is refused with CONCURRENCY_CONFLICT. Its result has
\`lockInfo\`, with \`lockWaitedMs\` when it waited. Where a client can ask its user, destructive actions do; where it cannot, some of them want \`force: true\`.

Where an action needs a project or solution and the call names none, it is the only one in \`workingDirectory\`. \`environment\` gives
variables to the program, its tests or \`dotnet ef\`; secret values among them are shown as \`[REDACTED]\` wherever the program prints them.

Test sums up the Cobertura reports of a run as \`coverage\` (lines, branches, the least covered files), for example with
\`collect: "XPlat Code Coverage"\`. \`settings\` is a .runsettings file. \`blameHangSeconds\` ends a run in which no test ends for so long, and names the
test that hangs where its framework says which one runs (xUnit does; MSTest 4 does not).

Package sources: \`dotnet_package\` ListSources, AddSource, UpdateSource, RemoveSource and Push. A password or API key is given as the name of an
environment variable of the server (\`credentialVariable\`), never as text. NuGet takes the password of a source as an argument alone: it gets
\`%NAME%\`, writes that into its configuration, and reads the variable when it uses the source. A push gives the key in \`NUGET_API_KEY\`; an SDK whose
\`dotnet nuget push\` does not read that variable takes it as an argument alone, which other users of the machine can see while it runs. Push, and what
names a credential, asks the user; where the client cannot, it needs \`force: true\`.

What is in progress: \`dotnet_project\` ListSessions shows background sessions, the calls in progress (which tool, on what, since when, waiting for a
lock or running), what is left of calls that were cancelled or timed out, and what other servers write to.

Long calls: an action may take \`Dotnet.TimeoutMs\` (10 minutes), or its \`timeoutSeconds\`. A client with tasks gets a task after 20 seconds, with the progress
of the build as its status; other clients that ask for progress hear of the call at least every 10 seconds ([calls that take long](running-plugins.md#calls-that-take-long)).

Build and Publish take a \`target\`: \`{"action":"Publish","target":"PublishContainer"}\` makes a container image. \`binlog: true\` writes MSBuild's binary log,
and the result says where; it holds environment variables and properties as they are, so look before you share it.

Looking at a project (Analyze, Dependencies, Validate, GetProperty, ListItems, plain package List, and the same of a solution) evaluates
it, and runs no target, task or logger of it; what only a restore can tell is said, with the call that restores.
[What an evaluation can still do](security.md#what-the-evaluation-of-an-untrusted-project-can-do) is little: a file with
a property function that could change something is refused, and so is an SDK that the repository brings or that would
be downloaded.

What can go wrong: [the codes of the toolchain](dotnet-errors.md), [the codes of calls](error-codes.md).
`,
);

const errorRows = entries.map(({ code: name, title, category, rootCauseKind = '' }) => [
  `[${code(name)}](dotnet/errors/${name}.md)`,
  cell(title),
  category,
  rootCauseKind,
  provoked[name] ? cell(provoked[name].build) : `not here: ${cell(notProvoked[name])}`,
]);

generated(
  'docs/dotnet-errors.md',
  `${GENERATED_NOTICE}
# Codes of the .NET toolchain

What the compilers, MSBuild, NuGet and the SDK report, as \`errors[].code\` of a failed call has it: ${entries.length} codes, each with a
page that says what it means and what to do. A code that is not here keeps its own message, and gets its category by its prefix.

The last column is the report of the tests: which build made SDK ${sdk} print the code (${Object.keys(provoked).length} of them), or why none can here
(${Object.keys(notProvoked).length}).

${table(['Code', 'Meaning', 'Category', 'Root cause', 'Provoked by'], errorRows)}
`,
);

const withMcpErrorCode = (mcpErrorCode) => entries.filter((entry) => entry.mcpErrorCode === mcpErrorCode);
const mcpErrorCodes = [...new Set(entries.flatMap((entry) => entry.mcpErrorCode ?? []))].sort((a, b) => b - a);

generatedPart(
  'docs/spec/errors.md#mcp-error-codes',
  table(
    ['mcpErrorCode', 'Codes of the catalogue'],
    mcpErrorCodes.map((mcpErrorCode) => [
      `−${-mcpErrorCode}`,
      withMcpErrorCode(mcpErrorCode)
        .map(({ code: name }) => name)
        .sort()
        .join(', '),
    ]),
  ),
);
