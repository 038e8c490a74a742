// Which of the files that a command wrote are in its recording: those that the server or a test reads.

/** The first rule that matches a path counts. `text`: with its content, `name`: as an empty file, `none`: not at all. */
const RULES = [
  [/^(?:printed|plugins)\/|^record\.txt$|(?:^|\/)(?:\.git|node_modules)\//, 'none'],
  [/^home\/\.templateengine\/.*templatecache\.json$/, templates],
  [/^home\/\.templateengine\/packages\.json$|^home\/\.nuget\/NuGet\/|^home\/\.?microsoft\/usersecrets\//i, 'text'],
  [/^home\/\.templateengine\/packages\/|^home\/\.dotnet\/tools\/[^.][^/]*$/, 'name'],
  [/^home\//, 'none'],
  [/(?:^|\/)obj\/(?:.*\/)?project\.assets\.json$/, assets],
  [/(?:^|\/)obj\/.*(?<!GlobalUsings)\.g\.cs$/, 'text'],
  [/(?:^|\/)obj\//, 'none'],
  [/^packages\//, 'none'],
  [/\/mortise-tests-\w+\/log\.host\.[^/]*\.txt$/, testEvents],
  [/\/mortise-tests-\w+\/[^/]*\.diag$/, platformEvents],
  [/\/mortise-tests-\w+\//, 'none'],
  [/(?:^|\/)bin\/.*\.(?:pdb|deps\.json|runtimeconfig\.json)$/, 'none'],
  [/\.(?:dll|exe|pdb|nupkg|snupkg|binlog|coverage|zip|gz|html)$/, 'name'],
  [/(?:^|\/)bin\/.*\.(?:json|config|xml)$/, 'name'],
];

/** @param path from the workplace, with `/` @returns undefined, `name`, or what makes the kept text of the file's text */
exports.keepsOf = (path) => {
  const [, keep] = RULES.find(([pattern]) => pattern.test(path)) ?? [undefined, 'text'];
  if (keep === 'none') return undefined;
  return keep === 'text' ? (text) => text : keep;
};

/** What packages/dotnet/src/sdk/template-cache.ts reads of the catalogue. */
function templates(text) {
  const { TemplateInfo } = JSON.parse(text.replace(/^\uFEFF/, ''));
  const names = ['Name', 'ShortNameList', 'Author', 'Description', 'TagsCollection', 'GroupIdentity', 'Identity'];
  const parameter = ({ Name, Description, DataType, DefaultValue, Choices }) => ({
    ...{ Name, Description, DataType, DefaultValue },
    Choices: Choices && Object.fromEntries(Object.keys(Choices).map((name) => [name, {}])),
  });
  const kept = TemplateInfo.map((template) => ({
    ...Object.fromEntries(names.map((name) => [name, template[name]])),
    Parameters: template.Parameters?.map(parameter),
  }));
  return `{"TemplateInfo":[\n${kept.map((template) => JSON.stringify(template)).join(',\n')}\n]}`;
}

/** What packages/dotnet/src/tools/project/test-logs.ts reads of the log of a test host. */
function testEvents(text) {
  return text
    .split('\n')
    .filter((line) => line.includes('TestExecutionRecorder.Record'))
    .join('\n');
}

/** What packages/dotnet/src/diagnostics/tests/platform-log.ts reads of the log of a test application. */
function platformEvents(text) {
  const entries = text.split(/^(?=\d{4}-\d\d-\d\dT)/m);
  return entries.filter((entry) => / Test module: |^TestNodeUpdateMessage /m.test(entry)).join('');
}

/** What packages/dotnet/src/nuget/assets.ts reads of an assets file. */
function assets(text) {
  const { version, targets = {}, project = {}, logs } = JSON.parse(text);
  const library = ({ type, dependencies, framework }) => ({ type, dependencies, framework });
  const mapped = (object, map) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
  const framework = ({ targetAlias, dependencies }) => ({ targetAlias, dependencies });
  const { frameworks = {}, restore } = project;
  const kept = {
    version,
    targets: mapped(targets, (libraries) => mapped(libraries, library)),
    project: {
      frameworks: mapped(frameworks, framework),
      restore: restore && { projectPath: restore.projectPath, frameworks: restore.frameworks },
    },
    logs,
  };
  return JSON.stringify(kept, undefined, 1);
}
