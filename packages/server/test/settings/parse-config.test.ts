import { expect, test } from 'vitest';
import { parseConfig, suggestSection } from '../../src/settings/parse-config.js';
import { SETTINGS_SCHEMA } from '../../src/settings/settings-table.js';

const parse = (text: string) => parseConfig(text, '/f.json');
const keysOf = (text: string) => parse(text).tree.members.map(({ key }) => key);

test('comments and trailing commas are allowed', () => {
  const parsed = parse('// a\n{ /* b */ "Tools": { "PageSize": 1, }, }\n');
  expect(parsed).toMatchObject({ syntaxProblem: undefined, problems: [] });
  expect(parsed.tree.members).toMatchObject([{ key: 'Tools', origin: { line: 2, column: 11 } }]);
});

test.each([
  ['', 1, 1, 'the file is empty; use {}'],
  ['  \n', 2, 1, 'the file is empty; use {}'],
  ['// nothing\n', 2, 1, 'the file is incomplete'],
  ['{', 1, 2, "'}' was expected"],
  ['{"a":', 1, 6, 'the file is incomplete'],
  ['{\n  "a" 1\n}', 2, 7, "':' was expected after the key"],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "',' or the closing bracket was expected before this"],
  ['{\r\n  "a": }', 2, 8, 'a value was expected'],
  ['{\r  "a": }', 2, 8, 'a value was expected'],
  ["{'a': 1}", 1, 2, 'a value was expected: text in double quotes'],
  ['{"a": "x\n"}', 1, 7, 'the text is not terminated'],
  ['{"a": 1, /* b }', 1, 10, "'*/' was expected"],
  ['{"a": "C:\\dir"}', 1, 7, 'write a backslash as \\\\'],
  ['{"a": 1}}', 1, 9, 'the end of the file was expected'],
  ['[]', 1, 1, 'an object was expected'],
  ['"x"', 1, 1, 'an object was expected'],
  [`{"a": ${'['.repeat(100_000)}`, 1, 70, 'it nests deeper than 64 levels'],
])('%j is refused at line %d, column %d', (text, line, column, why) => {
  expect(parse(text).syntaxProblem).toMatchObject({
    file: '/f.json',
    line,
    column,
    message: expect.stringContaining(why),
  });
});

test('only our sections are taken, in any case, under their documented name', () => {
  const text = '{"Logging": {"a": 1}, "PLUGINS": {}, "http": {}, "ConnectionStrings": {"x": "y"}}';
  expect(keysOf(text)).toEqual(['Plugins', 'Http']);
});

test('a section that is there twice, or is not an object, is a problem with its place', () => {
  const { problems } = parse('{"Tools": {},\n "tools": {},\n "Log": "info", "Http": null}');
  expect(problems).toMatchObject([
    { key: 'tools', line: 2, column: 2, message: 'tools is in the file twice.' },
    { key: 'Log', line: 3, message: 'Log is not an object.' },
    { key: 'Http', line: 3 },
  ]);
});

test.each([
  ['Plugin', 'Plugins'],
  ['Pluggins', 'Plugins'],
  ['plugns', 'Plugins'],
  ['Tool', 'Tools'],
  ['Toolss', 'Tools'],
  ['Outputs', 'Output'],
  ['Htpp', 'Http'],
  ['Logs', 'Log'],
  ['Lgo', 'Log'],
  ['Auths', 'Auth'],
  ['Dotnets', 'Dotnet'],
])('%s is taken for a misspelt %s', (key, section) => {
  expect(suggestSection(key)).toBe(section);
  expect(parse(`{"${key}": {}}`).problems).toMatchObject([{ key, hint: `Did you mean ${section}?` }]);
});

test.each([
  ...['Logging', 'AllowedHosts', 'ConnectionStrings', 'Kestrel', 'Serilog', 'NLog', 'Auth0', 'OAuth', 'Loki', 'Jwt'],
  ...[
    'JwtSettings',
    'AzureAd',
    'ApplicationInsights',
    'HttpClient',
    'Smtp',
    'Ftp',
    'Job',
    'Jobs',
    'Blob',
    'Org',
    'Path',
  ],
  ...['App', 'Api', 'Urls', 'Host', 'Hosts', 'Test', 'Redis', 'Cors', 'Cache', 'Mail', 'Features', 'FeatureManagement'],
  ...[
    'Swagger',
    'RabbitMQ',
    'Kafka',
    'Hangfire',
    'Quartz',
    'RateLimiting',
    'ReverseProxy',
    'Storage',
    'Email',
    '$schema',
  ],
  ...[
    'Authentication',
    'Authorization',
    'DetailedErrors',
    'Identity',
    'OpenTelemetry',
    'Orleans',
    'MassTransit',
    'Stripe',
    '',
  ],
])('%j of someone else passes', (key) => {
  expect(parse(JSON.stringify({ [key]: { a: 1 } }))).toMatchObject({ problems: [], tree: { members: [] } });
});

test('a name close to ours passes where its value is not a section', () => {
  expect(parse('{"Plugin": "x", "Logs": ["a"]}').problems).toEqual([]);
});

test('no section of ours is taken for another', () => {
  expect(
    keysOf(JSON.stringify(Object.fromEntries(Object.keys(SETTINGS_SCHEMA.properties).map((name) => [name, {}])))),
  ).toEqual(Object.keys(SETTINGS_SCHEMA.properties));
});
