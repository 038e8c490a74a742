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
/** The rules of the tools; the page that links to them is in docs. */
const RULES = 'docs/spec/dotnet-tools.md#rules';
const CODE_RULES = 'docs/spec/dotnet-code.md#changes';
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

Each tool has a page with its actions, its parameters, and examples with their real results.
[The specification](${RULES.replace('docs/', '')}) has the rules.

${table(['Tool', 'Title', 'For', 'Actions'], toolRows)}

## Reading and changing C# code

\`dotnet_code\` understands code as the compiler does, without a build and without loading anything first.

- The actions that look for a symbol take several at once, as in \`Cart.Total, Cart.Count\`.
  References of \`Shop.*\` counts the uses of all that \`Shop\` declares: those with 0 are used nowhere.
- Rename with \`apply: true\` writes, unless something conflicts.
  Without it, the call shows a diff and the conflicts, and the call that writes.
- Fixes shows what the .NET SDK can do about the diagnostics of a line.
  ApplyFix does it, in one place or everywhere.
  Without a line it repairs each error of a file, project or solution for which exactly one fix is meant:

\`\`\`json
{"action": "ApplyFix", "project": "/repo/Shop.slnx"}
\`\`\`

- If exactly one fix repairs an error, it is the next action of the failed Build, Test or Publish:

\`\`\`json
{"action": "ApplyFix", "file": "/repo/Core/Square.cs", "line": 3, "code": "CS0535", "fix": "Implement interface"}
\`\`\`

- All files of a change are written, or none.
  Encoding, line ends and generated files stay as they are, and a file that has changed since the preview is not
  overwritten.

[The page of the tool](dotnet/dotnet_code.md#examples) has examples of each with their real results.
[Its specification](${CODE_RULES.replace('docs/', '')}) has the rules.

## Parameters and projects

- A parameter that the action does not accept is an error, which names the actions that accept it.
- Relative paths start at \`workingDirectory\`, or without it at the folder in which the client started the server.
  Desktop clients often start it in \`/\` or in your home folder, so give \`workingDirectory\` there.
- If an action needs a project or solution and the call names none, it uses the only one in \`workingDirectory\`.
- \`environment\` gives variables to the program, its tests or \`dotnet ef\`.
  Secret values among them are shown as \`[REDACTED]\` wherever the program prints them.

## Locks and questions

- An action that holds a lock waits while another one writes to the same project, solution or folder.
  A solution and the projects that it lists count as the same; so do a folder and what is directly in it.
  Projects that a build reaches only by a reference are not locked: build the solution if others change them.
  It waits for \`waitSeconds\`, or else for five seconds (\`Concurrency.WaitMs\`), and never longer than \`timeoutSeconds\`.
  With 0 it does not wait.
- An action that has waited too long is refused with CONCURRENCY_CONFLICT.
- The result of an action that held a lock has \`lockInfo\`, with \`lockWaitedMs\` if it waited.
- If a client can ask its user, destructive actions ask.
  If it cannot, some of them need \`force: true\`.

## Calls that take long

- An action can take as long as \`Dotnet.TimeoutMs\` (10 minutes) or its \`timeoutSeconds\`.
- A client with tasks gets a task after 20 seconds, with the progress of the build as its status.
- Other clients that ask for progress hear of the call at least every 10 seconds
  ([calls that take long](running-plugins.md#calls-that-take-long)).
- \`dotnet_project\` ListSessions shows what is in progress: background sessions, the calls of this server with their
  tool, target, start and state, what is left of calls that were cancelled or timed out, and what other
  servers write to.

## Building and testing

- \`target\` of Build and Publish is a target of MSBuild.
  \`{"action":"Publish","target":"PublishContainer"}\` makes a container image.
- \`binlog: true\` writes MSBuild's binary log, and the result says where it is.
  The log contains environment variables and properties as they are, so look at it before you share it.
- Test combines the Cobertura reports of a run as \`coverage\` (lines, branches, the least covered files), for example
  with \`collect: "XPlat Code Coverage"\`.
- \`settings\` is a .runsettings file.
- \`blameHangSeconds\` ends a run in which no test ends within that time.
  The error names the test that hangs if the test framework says which test runs (xUnit does; MSTest 4 does not).

## Package sources

\`dotnet_package\` has ListSources, AddSource, UpdateSource, RemoveSource and Push.

- A password or API key is given as the name of an environment variable of the server (\`credentialVariable\`), and
  never as text.
- For the password of a source, NuGet gets \`%NAME%\` as an argument and writes that into its configuration.
  It reads the variable when it uses the source.
- A push passes the key in \`NUGET_API_KEY\`.
  An SDK whose \`dotnet nuget push\` does not read that variable gets the key as an argument, which other users of the
  machine can see while the push runs.
- Push, and actions that name a credential, ask the user.
  If the client cannot ask, they need \`force: true\`.

## Looking at a project

Analyze, Dependencies, Validate, GetProperty, ListItems, plain package List, and the same of a solution evaluate
projects.
They run no target, task or logger of a project.
If an answer needs a restore, the result says so and has the call that restores.

[What an evaluation can still do](security.md#what-the-evaluation-of-an-untrusted-project-can-do) is little.
A file with a property function that could change something is refused, and so is an SDK that the repository brings or
that would be downloaded.

## Errors

There are [codes of the toolchain](dotnet-errors.md) and [codes of calls](error-codes.md).
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

These are the codes that the compilers, MSBuild, NuGet and the SDK report, as \`errors[].code\` of a failed call has them.
There are ${entries.length} codes, each with a page that says what it means and what to do.
A code that is not here keeps its own message, and gets its category by its prefix.

The last column is from the tests.
It says which build made SDK ${sdk} print the code (${Object.keys(provoked).length} codes), or why no build can
(${Object.keys(notProvoked).length} codes).

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
