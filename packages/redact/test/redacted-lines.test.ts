import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedactor, createUnsafeRedactor } from '../src/redactor.js';

const redactor = createRedactor({ secrets: [] });
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const { privateKey: encrypted } = generateKeyPairSync('ec', {
  namedCurve: 'P-384',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
});
const linesOf = (pem: string) => pem.trimEnd().split('\n');
const bodyOf = (pem: string) => linesOf(pem).filter((line) => !line.includes('-----'));
const openssh = ['-----BEGIN OPENSSH PRIVATE KEY-----', ...bodyOf(privateKey), '-----END OPENSSH PRIVATE KEY-----'];
const pgp = [
  '-----BEGIN PGP PRIVATE KEY BLOCK-----',
  'Version: GnuPG v2',
  '',
  ...bodyOf(privateKey),
  '=Xy1z',
  '-----END PGP PRIVATE KEY BLOCK-----',
];
const legacy = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'Proc-Type: 4,ENCRYPTED',
  'DEK-Info: AES-128-CBC,01020304050607080910111213141516',
  '',
  ...bodyOf(privateKey),
  '-----END RSA PRIVATE KEY-----',
];
const putty = [
  'PuTTY-User-Key-File-3: ssh-ed25519',
  'Encryption: none',
  'Comment: me',
  'Public-Lines: 1',
  'AAAAC3NzaC1lZDI1NTE5AAAAIPublicPublicPublicPublicPublicPublicPub1',
  'Private-Lines: 2',
  ...bodyOf(privateKey).slice(0, 2),
  'Private-MAC: 0a1b2c3d4e5f',
];

const KEYS: Record<string, readonly string[]> = {
  PKCS1: linesOf(privateKey),
  'PKCS8, encrypted': linesOf(encrypted),
  OpenSSH: openssh,
  PGP: pgp,
  'with headers': legacy,
  PuTTY: putty,
};

/** How programs print a line. */
const WRITERS: Record<string, (line: string, at: number) => string> = {
  'as it is': (line) => line,
  'with CRLF': (line) => `${line}\r`,
  indented: (line) => `    ${line}`,
  'with a time': (line, at) => `2026-11-24T10:11:${12 + at}.123Z INFO  app: ${line}`,
  'as stderr': (line) => `[stderr] ${line}`,
  'as a container does': (line) => `web_1  | ${line}`,
  'in quotes': (line) => `  "${line}\\n" +`,
  'as a list of JSON': (line) => `    "${line}",`,
  'in colour': (line) => `\x1b[31m${line}\x1b[0m`,
  'as JSON lines': (line, at) => JSON.stringify({ level: 30, time: 1700 + at, msg: line }),
};

const isBody = (line: string) => /^[A-Za-z\d+/]{20,}=*$/.test(line) && !line.includes('Public');

function through(lines: readonly string[], end = true): string[] {
  const redacted: string[] = [];
  const stream = redactor.lines<undefined>((text) => redacted.push(text));
  for (const line of lines) stream.add(line, undefined);
  if (end) stream.end();
  return redacted;
}

describe.each(Object.entries(KEYS))('a private key line by line: %s', (_name, key) => {
  it.each(Object.entries(WRITERS))('%s', (_how, write) => {
    const output = ['before', ...key, 'after'].map(write);
    const redacted = through(output);
    expect(redacted).toHaveLength(output.length);
    expect(redacted[0]).toContain('before');
    expect(redacted.at(-1)).toContain('after');
    for (const secret of key.filter(isBody)) expect(redacted.join('\n')).not.toContain(secret);
  });

  it('of which only the end is seen', () => {
    for (const truncated of [1, 2, 3]) {
      const rest = key.slice(-truncated - 1);
      const redacted = through(['before', ...rest, 'after']).join('\n');
      for (const secret of rest.filter(isBody)) expect(redacted).not.toContain(secret);
      for (const secret of rest.filter(isBody)) expect(redactor.text(rest.join('\n'))).not.toContain(secret);
    }
  });

  it('as strings of a list, as members, and as blocks', () => {
    for (const value of [
      key,
      { lines: key.map((line, at) => ({ at, stream: 'stdout', text: line })) },
      Object.fromEntries(key.map((line, at) => [`line${at}`, line])),
      key.map((line) => [line]),
    ]) {
      const redacted = JSON.stringify(redactor.value(value));
      for (const secret of key.filter(isBody)) expect(redacted).not.toContain(secret);
    }
  });
});

describe('what is left alone', () => {
  it('public keys and certificates, line by line', () => {
    const certificate = [
      '-----BEGIN CERTIFICATE-----',
      ...bodyOf(publicKey),
      '-----END CERTIFICATE-----',
      ...linesOf(publicKey),
    ];
    expect(through(certificate)).toEqual(certificate);
  });

  it('a public key after a private one, and words after a key that never ended', () => {
    const redacted = through([...linesOf(privateKey).slice(0, 4), 'Done', 'Server started', ...linesOf(publicKey)]);
    expect(redacted.slice(-linesOf(publicKey).length)).toEqual(linesOf(publicKey));
    expect(redacted).toContain('Done');
    expect(redacted).toContain('Server started');
  });

  it('long Base64 and hashes that no key ends', () => {
    const lines = ['a'.repeat(64), `sha256:${'0f'.repeat(32)}`, ...bodyOf(publicKey), 'end'];
    expect(through(lines)).toEqual(lines);
    expect(redactor.value(lines)).toEqual(lines);
  });
});

it('a placeholder beside the marks of a key stays whole', () => {
  expect(redactor.text('[REDACTED]-----END PRIVATE KEY-----')).toBe('[REDACTED][REDACTED]');
  expect(redactor.text('-----BEGIN PRIVATE KEY-----[REDACTED]')).toBe('[REDACTED]');
});

it.each([
  ['{"key":"-----BEGIN PRIVATE KEY-----","n":1}', '{"key":"[REDACTED]","n":1}'],
  ['{"-----BEGIN PRIVATE KEY-----":""}', '{"[REDACTED]":""}'],
  ['["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0"]', '["[REDACTED]"]'],
  ['{"log":"\\t-----END PRIVATE KEY-----"}', '{"log":"\\t[REDACTED]"}'],
  ['{"log":"\\u0009AbC1-----END PRIVATE KEY-----"}', '{"log":"\\u0009[REDACTED]"}'],
  ['k = "-----BEGIN PRIVATE KEY-----" + "MIIEvQIBADANBgkqhkiG9w0"', 'k = "[REDACTED]"'],
])('a private key in a string leaves the string as it was: %s', (input, expected) => {
  expect(redactor.text(input)).toBe(expected);
});

describe('what is held back', () => {
  it('is shown after 200 ms', async () => {
    const started = performance.now();
    const redacted = await new Promise<string>((resolve) => {
      redactor.lines<undefined>(resolve).add(bodyOf(privateKey)[0]!, undefined);
    });
    expect(redacted).toBe(bodyOf(privateKey)[0]);
    expect(performance.now() - started).toBeGreaterThan(150);
  });

  it('is 64 lines at most', () => {
    const line = bodyOf(privateKey)[0]!;
    const redacted: string[] = [];
    const stream = redactor.lines<undefined>((text) => redacted.push(text));
    for (let at = 0; at < 70; at++) stream.add(line, undefined);
    expect(redacted).toHaveLength(6);
    stream.add('-----END RSA PRIVATE KEY-----', undefined);
    expect(redacted.slice(6).join()).not.toContain(line);
  });

  it('is a value that the next line can name', async () => {
    const redacted: string[] = [];
    const shown = new Promise<void>((resolve) => {
      const stream = redactor.lines<undefined>((text) => {
        redacted.push(text);
        resolve();
      });
      stream.add('value: hunter2', undefined);
    });
    expect(redacted).toEqual([]);
    await shown;
    expect(redacted).toEqual(['value: hunter2']);
    expect(through(['"value": 3,', 'x'], false)).toEqual(['"value": 3,', 'x']);
  });

  it('is not a line of words', () => {
    expect(through(['Done', 'Listening on port 80'], false)).toEqual(['Done', 'Listening on port 80']);
  });
});

it('finds a value whose key is on the line before', () => {
  const redacted = through(['user: ada', 'password: |', '  hunter2-quite-secret', '  and-more-of-it', 'port: 80']);
  expect(redacted.join('\n')).not.toContain('hunter2');
  expect(redacted.join('\n')).not.toContain('and-more');
  expect(redacted).toContain('user: ada');
  expect(redacted).toContain('port: 80');
});

describe('fields of texts', () => {
  const entries = (sent: readonly [text: string, fields?: object][]) => {
    const redacted: unknown[] = [];
    const stream = redactor.lines<undefined, object>((text, _of, fields) => redacted.push({ text, fields }));
    for (const [text, fields] of sent) stream.add(text, undefined, fields);
    stream.end();
    return redacted;
  };
  const key = linesOf(privateKey);

  it.each(Object.entries(KEYS))('the lines of a private key: %s', (_name, lines) => {
    const redacted = JSON.stringify(entries(lines.map((line) => ['a line', { line, at: 1 }])));
    for (const secret of lines.filter(isBody)) expect(redacted).not.toContain(secret);
  });

  it('the end of a key, also where other texts come between', () => {
    const redacted = entries(key.slice(-4).flatMap((line) => [['a line', { line }], ['another one']]));
    for (const secret of key.slice(-4).filter(isBody)) expect(JSON.stringify(redacted)).not.toContain(secret);
    expect(redacted).toHaveLength(8);
    expect(redacted[1]).toEqual({ text: 'another one', fields: undefined });
  });

  it('the end of a key in texts that have fields', () => {
    const redacted = JSON.stringify(entries(key.slice(-4).map((line, at) => [line, { call: `call ${at}` }])));
    for (const secret of key.slice(-4).filter(isBody)) expect(redacted).not.toContain(secret);
    expect(redacted).toContain('call 3');
  });

  it('a key that begins in a text and continues in fields', () => {
    const redacted = JSON.stringify(
      entries([[key[0]!], ...key.slice(1).map((line) => ['', { line }] as [string, object])]),
    );
    for (const secret of key.filter(isBody)) expect(redacted).not.toContain(secret);
  });

  it('other values stay what JSON makes of them', () => {
    const shared = { at: new Date(0) };
    const fields = { shared, again: shared, error: new TypeError('no'), list: [1, null, true] };
    expect(JSON.parse(JSON.stringify(entries([['x', fields]])))).toMatchObject(
      [
        {
          fields: {
            shared: { at: '1970-01-01T00:00:00.000Z' },
            again: shared,
            error: { message: 'no' },
            list: [1, null, true],
          },
        },
      ].map((entry) => JSON.parse(JSON.stringify(entry))),
    );
  });

  it('Base64 that no key ends stays, in its order', () => {
    const sent = bodyOf(publicKey).map((line, at): [string, object] => [`text ${at}`, { line }]);
    expect(entries([...sent, ['end']])).toEqual([
      ...sent.map(([text, fields]) => ({ text, fields })),
      { text: 'end', fields: undefined },
    ]);
  });
});

it('hides nothing where the operator allows it', () => {
  const redacted: string[] = [];
  const stream = createUnsafeRedactor().lines<undefined>((text) => redacted.push(text));
  for (const line of linesOf(privateKey)) stream.add(line, undefined);
  expect(redacted).toEqual(linesOf(privateKey));
});

const SPREAD: Record<string, readonly string[]> = {
  'a table of Markdown': [
    '| Name | Password |',
    '|------|----------|',
    '| bob | hunter2Zq8 |',
    '| ann | Tr0ub4dor-3x |',
    'rest',
  ],
  CSV: ['name,password', 'bob,hunter2Zq8', 'ann,Tr0ub4dor-3x', 'rest'],
  'a part of a form': [
    'Content-Disposition: form-data; name="password"',
    'Content-Type: text/plain',
    '',
    'hunter2Zq8',
    '--b',
  ],
  'a part of a form whose lines end in CR': [
    'Content-Disposition: form-data; name="password"\r',
    'Content-Type: text/plain\r',
    '\r',
    'hunter2Zq8\r',
    '--b\r',
  ],
  'a block of Terraform': ['variable "api_key" {', '  type = string', '  default = "hunter2Zq8"', '}', 'rest'],
  'an object of JSON': ['"api_key": {', '  "sensitive": true,', '  "type": "string",', '  "value": "hunter2Zq8"', '},'],
  'a member of YAML after its name': ['- name: DB_PASSWORD', '  type: string', '  value: hunter2Zq8', 'rest'],
  'a member of YAML before its name': ['- value: hunter2Zq8', '  name: API_KEY', '- value: red', '  name: color'],
  'an object of JSON whose name comes last': [
    '{',
    '  "Value": "hunter2Zq8",',
    '  "Type": "x",',
    '  "Name": "db-password"',
    '}',
  ],
  'the attributes of a tag': ['<add value="hunter2Zq8"', '     key="ApiKey" />'],
  'a statement of SQL': ['INSERT INTO users (name, password)', 'VALUES', "  ('bob', 'hunter2Zq8');"],
  'a list after the prefix of a log': ['12:00 [INF] passwords:', '- hunter2Zq8', '- Tr0ub4dor-3x', 'rest'],
};

describe('A value that is on another line than its key is hidden', () => {
  it.each(Object.entries(SPREAD))('in %s', (_, input) => {
    const output: string[] = [];
    const lines = redactor.lines((text) => output.push(text));
    for (const line of input) lines.add(line, undefined);
    lines.end();
    expect(output).toEqual(input.map((line) => line.replace(/hunter2Zq8|Tr0ub4dor-3x/, '[REDACTED]')));
  });
});
