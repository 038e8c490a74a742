/** Secrets by their place in a JSON value: each function puts one into a value. */
type Shape = (secret: string) => unknown;

export const VALUE_SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  'member of a value': [
    (secret) => ({ password: secret, user: 'bob' }),
    (secret) => [{ a: { apiKey: secret } }],
    (secret) => ({ DB_PASS: secret, ENCRYPTION_KEY: secret }),
    (secret) => ({ pass: secret, user: 'bob' }),
  ],
  'below a secret key of a value': [
    (secret) => ({ password: { value: secret } }),
    (secret) => ({ secrets: { db: secret, mail: { smtp: [secret] } } }),
    (secret) => ({ credentials: [{ any: secret }, secret] }),
    (secret) => ({ token: { type: 'opaque', value: secret } }),
    (secret) => ({ passwords: [secret, secret] }),
  ],
  'name and value of a value': [
    (secret) => ({ name: 'API_KEY', value: secret }),
    (secret) => ({ value: secret, type: 'x', key: 'token' }),
    (secret) => [{ Name: 'DbPassword', Value: secret }],
    (secret) => ({ ParameterKey: 'DbPassword', ParameterValue: secret }),
    (secret) => ({ name: 'db_password', value: { current: secret } }),
  ],
  'pairs of a value': [
    (secret) => [['password', secret]],
    (secret) => ({ headers: [['X-Api-Key', secret]] }),
    (secret) => ({
      env: [
        ['user', 'bob'],
        ['token', secret],
      ],
    }),
  ],
  'arguments of a value': [(secret) => ({ args: ['--password', secret] }), (secret) => ['app', '--token', secret]],
  'headers of a value': [
    (secret) => ({ headers: { Authorization: `Bearer ${secret}` } }),
    (secret) => ({ headers: { 'X-Api-Key': secret, 'Set-Cookie': [secret] } }),
    (secret) => [['Authorization', `Bearer ${secret}`]],
  ],
  'npm and Docker configuration as a value': [
    (secret) => ({ _authToken: secret }),
    (secret) => ({ auths: { 'ghcr.io': { identitytoken: secret, registrytoken: secret } } }),
    (secret) => ({ auths: { 'ghcr.io': { auth: Buffer.from(`bob:${secret}`).toString('base64') } } }),
    (secret) => ({ _auth: secret }),
  ],
  'text in a value': [
    (secret) => ({ log: [`password=${JSON.stringify(secret)} x`] }),
    (secret) => ({ body: JSON.stringify({ token: secret }) }),
    (secret) => ({ body: JSON.stringify({ body: JSON.stringify({ secrets: { a: secret } }) }) }),
  ],
  'key of a value': [(secret) => ({ [`password="${secret}"`]: 1 })],
};
