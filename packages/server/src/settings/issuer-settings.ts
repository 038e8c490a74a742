import { SCOPES } from './access-settings.js';
import { choice, described, list, map, name, oneOrList, record, setting, url, type ValueOf } from './setting-schema.js';

/** The algorithms of signatures that tokens can have. All are asymmetric (docs/spec/tokens.md#token-checks). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

/** Claims that identify a user or a program and never change. */
const SUBJECT_CLAIMS = ['sub', 'oid', 'uid', 'cid', 'azp', 'client_id', 'appid'] as const;

const fromClaim = (purpose: string) =>
  described(name, `The claim that has the ${purpose}; a dot leads into an object: realm_access.roles.`);

/** An entry of `Auth.Issuers` (docs/spec/tokens.md#issuers). */
export const ISSUER = record(
  {
    Name: described(name, 'The name of the issuer in the names of its principals: <Name>/<sub>.'),
    Issuer: described(url, 'The URL of the issuer, exactly as the claim `iss` of its tokens has it.'),
    Audience: described(oneOrList(name), 'What the claim `aud` of a token must name; of a list, one entry.'),
    JwksUrl: described(url, 'The URL of the keys; by default the metadata of the issuer name it.'),
    Algorithms: setting(
      list(choice(...ALGORITHMS)),
      [...ALGORITHMS],
      'The algorithms that signatures can have; all are asymmetric.',
    ),
    Scopes: described(
      record(
        {
          from: fromClaim('scopes or roles'),
          map: described(map('variables', oneOrList(choice(...SCOPES))), 'The scopes that a value of the claim gives.'),
        },
        { required: ['from', 'map'] },
      ),
      'How a claim becomes scopes; by default the scopes `mortise:…` of the claim `scope` or `scp` count.',
    ),
    Profile: described(
      record(
        {
          from: fromClaim('roles or groups'),
          map: described(map('variables', name), 'The profile of a value of the claim; the first that fits counts.'),
          default: described(name, 'The profile of tokens without such a value.'),
        },
        { required: ['from', 'map', 'default'] },
      ),
      'How a claim becomes a profile; by default a token has none, and sees everything.',
    ),
    Principal: setting(choice(...SUBJECT_CLAIMS), 'sub', 'The claim that names the principal.'),
  },
  { required: ['Name', 'Issuer', 'Audience'] },
);

/** An authorization server whose tokens are accepted. */
export type Issuer = ValueOf<typeof ISSUER>;
