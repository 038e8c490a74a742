import { describe, expect, test } from 'vitest';
import { createRedactor } from '../src/redactor.js';

const CONFIGURED = 'cfg7/Value+x';
const { text, value } = createRedactor({ secrets: [CONFIGURED] });

/** One line of each family, and the part of it that must not be seen. */
const DETECTORS: Record<string, readonly [line: string, secret: string]> = {
  'a connection string': ['Server=x;User Id=sa;Password=s3cr3t-Pw!;Encrypt=true', 's3cr3t-Pw!'],
  'URL credentials': ['clone https://bob:s3cr3t-Pw!@example.com/repo.git now', 's3cr3t-Pw!'],
  'an Authorization header': ['Authorization: Bearer s3cr3t-Pw!', 's3cr3t-Pw!'],
  'a cookie': ['Cookie: sid=s3cr3t-Pw!; theme=dark', 's3cr3t-Pw!'],
  'a pair': ['using api_key=s3cr3t-Pw! now', 's3cr3t-Pw!'],
  'a pair with a colon': ['password: s3cr3t-Pw!', 's3cr3t-Pw!'],
  'a quoted pair': ['password="s3cr3t Pw!" user="bob"', 's3cr3t Pw!'],
  'a JSON member': ['{"clientSecret": "s3cr3t Pw!", "user": "bob"}', 's3cr3t Pw!'],
  'an XML attribute': ['<add key="ClearTextPassword" value="s3cr3t Pw!" />', 's3cr3t Pw!'],
  'an XML element': ['<Password>s3cr3t Pw!</Password>', 's3cr3t Pw!'],
  'an option': ['app --password s3cr3t-Pw! --force', 's3cr3t-Pw!'],
  'a quoted option': ['app --password "s3cr3t Pw!" --force', 's3cr3t Pw!'],
  'an MSBuild property': ['dotnet build -p:ApiKey=s3cr3t-Pw! -c Release', 's3cr3t-Pw!'],
  'a user secret': ['dotnet user-secrets set "Db:Key" "s3cr3t Pw!" --project p', 's3cr3t Pw!'],
  'a signature': ['https://x.blob.core.windows.net/c?sv=2024&sig=AbC%2Fdef0123%3D&se=2027', 'AbC%2Fdef0123'],
  'a private key': ['-----BEGIN PRIVATE KEY-----\nMIIEvQIBs3cr3t\n-----END PRIVATE KEY-----', 'MIIEvQIBs3cr3t'],
  'a JWT': ['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0xyz.c2lnbmF0dXJl now', 'eyJzdWIiOiIxIn0xyz'],
  'a provider token': [`pushing with ghp_${'aB3dE5'.repeat(6)} now`, 'aB3dE5'.repeat(6)],
  'a configured value': [`sent ${CONFIGURED} there`, CONFIGURED],
};

const json = (line: string) => JSON.stringify(line).slice(1, -1);

const EMBEDDINGS: Record<string, (line: string) => string> = {
  'as the whole text': (line) => line,
  'between lines': (line) => `before\n${line}\nafter`,
  'between CRLF lines': (line) => `before\r\n${line.replaceAll('\n', '\r\n')}\r\nafter`,
  'after a timestamp': (line) => `2026-01-02T03:04:05Z [INF] ${line}`,
  'indented by a tab': (line) => `\t${line}`,
  'as a JSON value': (line) => JSON.stringify({ log: line, n: 1 }),
  'inside JSON lines': (line) => JSON.stringify({ log: `before\n${line}\nAfter` }),
  'in JSON inside JSON': (line) => JSON.stringify({ body: JSON.stringify({ log: line }) }),
  'in single quotes': (line) => `run '${line}' failed`,
  'with colours': (line) => `\x1b[32m${line}\x1b[0m`,
  'with a colour change at every character': (line) => [...line].join('\x1b[1m'),
  'with control characters': (line) => [...line].join('\x07'),
};

describe.each(Object.entries(DETECTORS))('%s', (_, [line, secret]) => {
  test.each(Object.entries(EMBEDDINGS))('does not leak %s', (_, embed) => {
    const redacted = text(embed(line));
    for (const form of [secret, json(secret), json(json(secret)), secret.slice(0, 8)])
      expect(redacted).not.toContain(form);
    expect(redacted).toContain('[REDACTED]');
    expect(text(redacted)).toBe(redacted);
  });

  test('leaves the JSON around it well-formed, and equal to redaction of the value', () => {
    const parsed = JSON.parse(text(JSON.stringify({ log: line, n: 1 })));
    expect(parsed).toEqual({ log: text(line), n: 1 });
    expect(value({ log: line, n: 1 })).toEqual(parsed);
  });
});
