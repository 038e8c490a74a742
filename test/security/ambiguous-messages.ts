/** A message that two programs could read differently. */
export interface AmbiguousMessage {
  readonly title: string;
  /** The JSON of `params.arguments`. */
  readonly args: string;
  /** The name of the called tool as JSON, without the prefix of the mounted server. */
  readonly name?: string;
  /** More members of `_meta`, `params` or the message, each as JSON text that begins with a comma. */
  readonly meta?: string;
  readonly params?: string;
  readonly message?: string;
  /** HTTP headers in addition to, or instead of, those that agree with the body. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Part of the answer, if the message must not arrive at the mounted server. */
  readonly refused?: RegExp;
}

const NUMBER_RANGE = /larger than a double/;
const RESERVED = /'__proto__' is a reserved name/;
const NOT_ALLOWED = /is spelled 'action'|Allowed values: read/;
const HEADERS_DISAGREE = /disagree/;
const UNKNOWN = /Unknown tool/;

/** JSON texts of one value. */
const NUMBERS = [
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551615',
  '123456789012345678901234567890',
  '1e21',
  '1E2',
  '1.0',
  '100e-2',
  '-0',
  '-0.0',
  '0.1',
  '0.30000000000000004',
  '0.1000000000000000055511151231257827',
  '1e-400',
  '5e-324',
  '1.7976931348623157e308',
];
const INFINITE = ['1e400', '-1e400', '1.8e308', `1${'0'.repeat(309)}`];

const TEXTS = [
  '"\\ud800"',
  '"\\udc00"',
  '"\\udc00\\ud800"',
  '"a\\ud83dz"',
  '"\\ud83d\\ude00"',
  '"\\u0000"',
  '"\\u2028\\u2029"',
  '"\\ufeff"',
  '"\\uffff\\ufffe"',
  '"\\/\\b\\f"',
  '"e\\u0301"',
  '"\\u00e9"',
  '"\\u212a"',
  '"\\uff4b"',
  '"\\u202e"',
  '"__proto__"',
  '"constructor"',
  '"9007199254740993"',
];

/** JSON texts of names of members. */
const NAMES = [
  '"constructor"',
  '"prototype"',
  '"toString"',
  '"hasOwnProperty"',
  '"__defineGetter__"',
  '"__Proto__"',
  '"\\uff3f\\uff3fproto\\uff3f\\uff3f"',
  '"Count"',
  '"COUNT"',
  '"\\uff43ount"',
  '"count\\u0000"',
  '"count "',
  '"\\u212a"',
  '"\\u017f"',
  '"\\u0131"',
  '"e\\u0301"',
  '"\\u00e9"',
  '"\\ufb01"',
  '"\\ud800"',
  '""',
  '"0"',
  '"toJSON"',
  '"then"',
];
const PROTO = ['"__proto__"', '"\\u005f_proto__"', '"__proto\\u005f_"'];

/** The places where a value can stand in the arguments. */
const PLACES: Readonly<Record<string, (value: string) => string>> = {
  'as an argument': (value) => `{"x":${value}}`,
  'in an object': (value) => `{"x":{"y":{"z":${value}}}}`,
  'in a list': (value) => `{"x":[1,${value},[${value}]]}`,
};

const everywhere = (values: readonly string[], refused?: RegExp): AmbiguousMessage[] =>
  Object.entries(PLACES).flatMap(([place, put]) =>
    values.map((value) => ({
      title: `${value.slice(0, 40)} ${place}`,
      args: put(value),
      ...(refused && { refused }),
    })),
  );

const member = (name: string) => `{${name}:{"a":1}}`;
const named = (names: readonly string[], refused?: RegExp): AmbiguousMessage[] =>
  names.flatMap((name) => [
    { title: `an argument ${name}`, args: member(name), ...(refused && { refused }) },
    { title: `a member ${name} of an object in a list`, args: `{"x":[${member(name)}]}`, ...(refused && { refused }) },
  ]);

const DUPLICATES: AmbiguousMessage[] = [
  { title: 'an argument twice', args: '{"x":1,"x":2}' },
  { title: 'an argument twice, once escaped', args: '{"x":1,"\\u0078":2}' },
  { title: 'a member twice, deep inside', args: '{"x":{"y":[{"z":1,"z":{"a":1}}]}}' },
  { title: '__proto__ twice', args: '{"__proto__":1,"__proto__":{}}', refused: RESERVED },
  { title: 'arguments twice', args: '{"x":1}', params: ',"arguments":{"x":2}' },
  { title: 'the name twice', args: '{}', params: ',"name":"mcp_m_Keep"', headers: { 'mcp-name': 'mcp_m_Keep' } },
  {
    title: 'the name twice, the header with the first one',
    args: '{}',
    params: ',"name":"mcp_m_Keep"',
    refused: HEADERS_DISAGREE,
  },
  { title: 'the method twice', args: '{}', message: ',"method":"tools/list"', refused: HEADERS_DISAGREE },
  { title: 'params twice', args: '{"x":1}', message: ',"params":{}', refused: /_meta lacks/ },
  { title: 'the id twice', args: '{"x":1}', message: ',"id":7' },
];

/** The client's profile allows only the action `read`. */
const RESTRICTED: AmbiguousMessage[] = [
  { title: 'the allowed action', args: '{"action":"read"}', name: '"act"' },
  { title: 'the action twice, the allowed one last', args: '{"action":"write","action":"read"}', name: '"act"' },
  ...[
    '{"action":"read","action":"write"}',
    '{"action":"read","\\u0061ction":"write"}',
    '{"action":"Read"}',
    '{"action":["read"]}',
    '{"action":"read","Action":"write"}',
    '{"action":"read","ACT\\u0130ON":"write"}',
    '{"action":"read","act\\u0131on":"write"}',
    '{"action":"read","\\uff41ction":"write"}',
    '{"action":"read","action ":"write"}',
  ].map((args) => ({ title: `restricted: ${args}`, args, name: '"act"', refused: NOT_ALLOWED })),
];

const inMeta = (value: string): AmbiguousMessage => ({
  title: `${value.slice(0, 40)} in _meta`,
  args: '{}',
  meta: `,"com.example/v":[${value}]`,
});
const META: AmbiguousMessage[] = [
  ...[...NUMBERS.slice(0, 6), ...TEXTS.slice(0, 6), '{"__proto__":{"a":1}}', '{"a":1,"a":2}'].map(inMeta),
  ...INFINITE.map((value) => ({ ...inMeta(value), refused: NUMBER_RANGE })),
];

const TOOL_NAMES: AmbiguousMessage[] = [
  { title: 'the tool Keep', args: '{}', name: '"Keep"' },
  { title: 'a tool with the name of an inherited member', args: '{}', name: '"constructor"' },
  ...[
    '"KEEP"',
    '"keep\\u0000"',
    '" keep"',
    '"\\u212aeep"',
    '"\\u212a"',
    '"\\uff4beep"',
    '"toString"',
    '"__proto__"',
  ].map((name) => ({ title: `the tool ${name}`, args: '{}', name, refused: UNKNOWN })),
];

const withRegion = (region: string, header: string | string[] | undefined, refused?: RegExp): AmbiguousMessage => ({
  title: `region ${region} with the header ${header}`,
  args: `{"region":${region}}`,
  ...(header !== undefined && { headers: { 'mcp-param-region': header } }),
  ...(refused && { refused }),
});

const HEADERS: AmbiguousMessage[] = [
  withRegion('5', '5'),
  withRegion('5', '5.0'),
  withRegion('5', '=?base64?NQ==?='),
  withRegion('5', undefined, HEADERS_DISAGREE),
  withRegion('5', '6', HEADERS_DISAGREE),
  withRegion('5', '0x5', HEADERS_DISAGREE),
  withRegion('5', ['5', '6'], HEADERS_DISAGREE),
  withRegion('9007199254740993', '5', HEADERS_DISAGREE),
  withRegion('9007199254740993', '9007199254740992'),
  withRegion('9007199254740993', undefined),
  { title: 'a method in other case', args: '{}', headers: { 'mcp-method': 'Tools/Call' }, refused: HEADERS_DISAGREE },
  { title: 'a name in other case', args: '{}', headers: { 'mcp-name': 'mcp_m_KEEP' }, refused: HEADERS_DISAGREE },
  { title: 'two names', args: '{}', headers: { 'mcp-name': ['mcp_m_keep', 'mcp_m_K'] }, refused: HEADERS_DISAGREE },
];

export const AMBIGUOUS_MESSAGES: readonly AmbiguousMessage[] = [
  ...everywhere(NUMBERS),
  ...everywhere(INFINITE, NUMBER_RANGE),
  ...everywhere(TEXTS),
  ...named(NAMES),
  ...named(PROTO, RESERVED),
  ...DUPLICATES,
  ...RESTRICTED,
  ...META,
  ...TOOL_NAMES,
  ...HEADERS,
];
