import { expect, test } from 'vitest';
import { isSecretKey } from '../../src/values/secret-key.js';

const SECRET = [
  ...['password', 'Password', 'PASSWD', 'pwd', 'passphrase', 'clientSecret', 'client_secret', 'token', 'github_token'],
  ...[
    'GITHUB_TOKEN',
    'accessToken',
    'api_key',
    'apiKey',
    'APIKey',
    'ApiKey',
    'api-key',
    'x-api-key',
    'apikey',
    'APIKEY',
  ],
  ...['aws_secret_access_key', 'AccountKey', 'privateKey', 'db.password', 'credential', 'credentials', 'Cookie'],
  ...['Db:Password', 'MyAPIToken', 'openai.api.key'],
];

const NOT_SECRET = [
  ...['', 'name', 'key', 'PublicKeyToken', 'public_key_token', 'publickeytoken', 'nextToken', 'next_page_token'],
  ...['continuationToken', 'syncToken', 'CancellationToken', 'tokens', 'maxTokens', 'passwordPolicy', 'token_count'],
  ...['tokenizer', 'secretary', 'monkey', 'keyboard', 'public_key', 'compass', 'sessionId'],
];

test.each(SECRET)('%s names a secret', (key) => {
  expect(isSecretKey(key)).toBe(true);
});

test.each(NOT_SECRET)('%s names no secret', (key) => {
  expect(isSecretKey(key)).toBe(false);
});
