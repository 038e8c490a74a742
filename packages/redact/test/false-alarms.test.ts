import { expect, test } from 'vitest';
import { HARMLESS_LINES } from '../../../test/security/secrets/harmless-lines.js';
import { createRedactor } from '../src/redactor.js';

const { text } = createRedactor({ secrets: [] });

/** Lines of real code, logs and prose that were redacted once, though nothing in them is a secret. */
const ROWS = [
  // Program code.
  'var token = await Get();',
  'const pwd = process.cwd();',
  'const token = await client.getToken({ scope });',
  'var token = new CancellationTokenSource().Token;',
  'this.password = password;',
  'self.token = nextchar',
  'username, password = url_user_password',
  'password = ask_password("Password: ")',
  'Credentials = Tuple[str, str, str]',
  'index_url, _, index_url_user_password = index_info',
  'connect(user=user, password=password)',
  'const divisorToken = s.scanner.shiftUntilLookahead(terminatingChars);',
  'const getCookie = (c, key, prefix) => {',
  'const isCryptoKey = (key) => {',
  'password: z.string(),',
  'refresh_token: z.string().optional(),',
  'password: v.pipe(v.string(), v.minLength(8)),',
  'pass: validation.success,',
  "const cookie = c.req.raw.headers.get('Cookie');",
  'authorization = authorization.split()',
  'if (token === "&") return;',
  "if (token === '--require' || token === '-r') return;",
  'OpenBraceToken = 1,',
  'if cookie == 0 and self._decoder:',
  'if cookie:\n    cookies.append(cookie)',
  'if token:\n    continue',
  "creds = ' --username=%s --password=%s' % (user, pw)",
  "console.log('password:', password);",
  'print "Token: " + repr(tt)',
  '_withCredentials = /* @__PURE__ */ new WeakMap()',
  'string token = Environment.GetEnvironmentVariable("TOKEN");',
  'var key = configuration["ApiKey"];',
  'options.Password = args[1];',
  'this.#secret = Uint8Array.prototype.slice.call(secret);',
  ' * token         = 1*tchar',
  'e[e.OpenBraceToken=1]="OpenBraceToken"',
  'x=1;onToken=function(e){return n.push(e)};y=2;',
  // Positions of types.
  'accessKey: string',
  'accessKey: string;',
  'token: SyntaxKind.ExtendsKeyword | SyntaxKind.ImplementsKeyword;',
  'declare const secret: unique symbol;',
  'function f(token: CancellationToken, secret?: SecretKey): void {',
  'readonly accessKey: SecretKey,',
  // Variables and stand-ins.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text
  'TOKEN: ${{ secrets.GITHUB_TOKEN }}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text
  'password=${DB_PASSWORD}',
  'docker run -e TOKEN=$TOKEN image',
  'set PASSWORD=%PASSWORD%',
  '/p:ApiKey=$(ApiKey)',
  'password: <password>',
  "refuse('A key is needed: Authorization: Bearer <key>.');",
  'curl -b cookies.txt https://example.com',
  'variable "db_password" {\n  type = string\n}',
  'password: ********',
  '{"secret":"[Redacted]","user":"bob"}',
  // What is said of a secret, and sentences.
  'bearer token: missing',
  'token: expired',
  'Password: required.',
  'token: Identifier(bar)',
  'unexpected token: Identifier(bar)',
  'last token: Identifier(bar)',
  'Credentials: dotnet nuget update source <name> --username <user>',
  'To change the password: dotnet nuget update source',
  'First pass: find the longest option',
  '# Second pass: emit each schema',
  'Cookie: header to request is added here',
  'machine and password are required for a login page password reset',
  'the login and password of the machine',
  'Authorization: is required for this endpoint',
  '<param name="token">The token to read from.</param>',
  '/// <param name="newToken">The new token.</param>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text
  "headers.set('Authorization', `Basic ${credentials}`);",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text
  'const partialToken = `${encodedHeader}.${encodedPayload}`;',
  'const token = tokens[index++];',
  'let token = tokens[tokens.length - 1];',
  'if (lastToken === 46/*.*/) {',
  'return t || ("set-cookie" === name ? list.push(n) : n)',
  'if (typeof options.cookie == "string") return;',
  "this.currentToken = { type: 'star', value, output: star };",
  'visit(token => {',
  'request.withCredentials = !!config.withCredentials;',
  'return { kty: ["oct"], secret: !0, subtle };',
  'readNumber(token: IToken<number>): number;',
  'client_secret: z.ZodOptional<z.ZodString>;',
  'id-token: write # of a workflow',
  'WARNING! Using --password via the CLI is insecure. Use --password-stdin.',
  '"./cookie": ["./dist/types/helper/cookie"]',
  // Logs, lock files and the output of git.
  '"Microsoft.Extensions.Configuration.UserSecrets": {\n  "type": "Transitive",\n  "resolved": "8.0.0",\n  "contentHash": "xYz=" }',
  '"Microsoft.Extensions.Configuration.UserSecrets": {\n  "target": "Package",\n  "version": "[8.0.0, )" }',
  '"Microsoft.AspNetCore.Authorization": "(,10.0.32767]",',
  'cookie:\n  specifier: ^0.7.2\n  version: 0.7.2',
  'ok 1 - pass',
  '# pass 12',
  'pass: 12, fail: 0',
  'PWD=/home/runner/work',
  "PWD: '/Users/maciej',",
  'OLDPWD=/tmp',
  'PASS src/token.test.js (5.1 s)',
  'npm verbose cwd /work npm verbose node v20.20.2',
  'npm http fetch GET 200 https://registry.npmjs.org/js-tokens 12ms (cache hit)',
  '"js-tokens": "^3.0.0 || ^4.0.0",',
  '"contentHash": "lHPhkHtd0ZWkWZD5J2Ol7/Pq2ZxLcSoJQjhqCQ5iHcYXHzAYQcYCOmvVQsgFvyRvBQxHYzGqWbvHDBxvAcNbWQ=="',
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  ' ---> Running in 3f786850e387\nsha256:3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b\nAuthor: Bob <bob@example.com>\n\n    fix: the token of a page',
  'index 3f78685..550fdab 100644\n--- a/src/secrets.ts\n+++ b/src/secrets.ts',
  "src/auth.ts(3,7): error TS2322: Type 'string' is not assignable to type 'Token'.",
  'const TOKEN = /^(?=.*\\d)[A-Za-z\\d+/=_]{16,}$/;',
  // Lists of packages.
  '    "cookie": "^0.7.1",',
  'cookie "0.7.1"',
  '  cookie: ^0.7.1',
  // Markdown.
  'After `Authorization:` without a known scheme, only the first word.\nMore of `stderr`.',
];

test.each(ROWS)('%s', (row) => {
  expect(text(row)).toBe(row);
});

/** What looks alike and is a secret. */
const SECRETS = [
  'var token = "‹Get()›";',
  'token = ‹hunter2›',
  'password=‹Get2(x›',
  'password=‹$ecret1›',
  'password: ‹hunter2› user: bob',
  'Password: ‹S3cret›, required.',
  'pass: ‹hunter2›',
  'pwd=‹hunter2›',
  'Authorization: ‹abc› def ghi jkl',
  'Authorization: Custom ‹abc›',
  'if (password === "‹hunter2›") return;',
  'machine h login x password ‹hunter2›',
  'token: ‹missing-2f›',
];

test.each(SECRETS)('%s', (row) => {
  expect(text(row.replace(/[‹›]/g, ''))).toBe(row.replace(/‹[^›]*›/g, '[REDACTED]'));
});

const LINES = Object.values(HARMLESS_LINES).flat();

test.each(LINES)('names a secret and holds none: %s', (line) => {
  expect(text(line)).toBe(line);
  expect(text(`before\n${line}\nafter`)).toBe(`before\n${line}\nafter`);
  expect(JSON.parse(text(JSON.stringify({ log: line })))).toEqual({ log: line });
});

/** What differs from one of those lines by its value. */
const TWINS = [
  "const STORAGE_KEY = '‹a1b2c3d4e5f6›'",
  "const API_KEY = '‹hunter2Zq8›'",
  "{ pass: '‹hunter2›' }",
  '"pass": "‹hunter2 and more›"',
  "[['pass', '‹hunter2›']]",
  'dotnet nuget push -k ‹hunter2›',
  'docker login -u bob -p ‹$ecret1› ghcr.io',
  'Driver={x};Pwd={‹a;b›};Encrypt=yes',
  'Token = ‹token7›',
  'Authorization: Bearer ‹hunter2›',
  'app --token ‹TOK3N›',
  "credentials: '‹hunter2›'",
  'PASS: ‹hunter2›',
  'password: ‹hunter2Zq8.x›',
  "ACCESS_TOKEN: '‹access_token_7›'",
  '| Password | ‹hunter2› |',
  'Missing secrets:\n  - ‹hunter2›',
  '##vso[task.setvariable variable=token]‹hunter2›',
  'and user_pass == "‹github›"',
  'if (password == "‹git›")',
  "'pass' => '‹git›'",
  'pass := "‹git›"',
  '"cookie": "‹🍪🍪›"',
  'app [--password ‹hunter›]',
  "apiKey: '‹my key›'",
  'password: `‹mySecret›`',
  '"Authorization": ‹auth7›,',
  "password = ‹['hunter›', x]",
  "token = ‹a7› + '.'",
  'ENV PASS ‹hunter›',
  'ENV PASS "‹the hunter›"',
  'password=‹x,y›,ssl=True',
  'password=‹a;bC9›',
  'password=‹p)ssword›',
  'password=‹x}y›',
  'password=‹a.b›',
];

test.each(TWINS)('holds a secret: %s', (row) => {
  expect(text(row.replace(/[‹›]/g, ''))).toBe(row.replace(/‹[^›]*›/g, '[REDACTED]'));
});
