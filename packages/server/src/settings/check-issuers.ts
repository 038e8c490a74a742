import { BUILT_IN_PROFILE, suggestion } from './check-access.js';
import type { SettingPath } from './check-schema.js';
import type { Issuer } from './issuer-settings.js';
import { joinKey } from './lookup.js';
import { type Places, placeOf } from './resolve-settings.js';
import { isSecureUrl } from './secure-url.js';
import { problemAt, type SettingsProblem } from './settings-error.js';
import type { ParsedSettings } from './settings-table.js';

/** An issuer. Members that violate their schema are undefined; they have been reported already. */
type PartialIssuer = Partial<Issuer>;

interface IssuerSettings {
  readonly issuers: readonly PartialIssuer[];
  readonly profiles: readonly string[];
}

/** A wrong member of an issuer: the path to it, the problem in words, and the next action. */
type Finding = readonly [path: readonly string[], message: string, hint: string];

type IssuerCheck = (issuer: PartialIssuer, index: number, settings: IssuerSettings) => (Finding | false | undefined)[];

/** Claims of every token that say neither what its bearer may do nor who the bearer is. */
const TECHNICAL_CLAIMS: readonly string[] = [
  ...['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'typ', 'nonce', 'at_hash', 'c_hash', 'sid', 'auth_time'],
];
const WRITE_HTTPS = 'Write an https URL; http is for this machine only.';

const CHECKS: readonly IssuerCheck[] = [
  ({ Name }) => [
    Name !== undefined &&
      !/^[^/\p{C}]{1,64}$/u.test(Name) && [
        ['Name'],
        `is '${Name}': it must have 1 to 64 characters, and no '/'.`,
        'Choose another name.',
      ],
  ],
  ({ Name, Issuer }, index, { issuers }) => {
    const others = issuers.slice(0, index);
    return [
      Name !== undefined &&
        others.some((other) => other.Name?.toLowerCase() === Name.toLowerCase()) && [
          ['Name'],
          `'${Name}' is the name of another issuer too.`,
          'Give each issuer a name of its own.',
        ],
      Issuer !== undefined &&
        others.some((other) => other.Issuer === Issuer) && [
          ['Issuer'],
          'is the URL of another issuer too.',
          'Name each issuer once; `Audience` can be a list.',
        ],
    ];
  },
  ({ Issuer, JwksUrl }) => [
    Issuer !== undefined && !isSecureUrl(Issuer) && [['Issuer'], 'is not an https URL.', WRITE_HTTPS],
    Issuer !== undefined &&
      /[?#]/.test(Issuer) && [['Issuer'], "has a '?' or '#'.", 'Write it as the claim `iss` of a token has it.'],
    JwksUrl !== undefined && !isSecureUrl(JwksUrl) && [['JwksUrl'], 'is not an https URL.', WRITE_HTTPS],
  ],
  ({ Audience, Algorithms }) => [
    Audience?.length === 0 && [['Audience'], 'is empty.', 'Name what the claim `aud` of a token for this server has.'],
    Algorithms?.length === 0 && [['Algorithms'], 'is empty.', 'Leave the setting out, or name an algorithm.'],
  ],
  ({ Scopes, Profile }) =>
    Object.entries({ Scopes, Profile }).map(
      ([member, mapping]) =>
        mapping?.from !== undefined &&
        TECHNICAL_CLAIMS.includes(mapping.from) && [
          [member, 'from'],
          `is '${mapping.from}', a claim that cannot say what a caller may do.`,
          'Name a claim such as scope, scp, roles or groups.',
        ],
    ),
  ({ Scopes }) => [
    Scopes?.map !== undefined &&
      Object.keys(Scopes.map).length === 0 && [
        ['Scopes', 'map'],
        'is empty, so that no token has a scope.',
        'Map a value of the claim to scopes, or leave `Scopes` out.',
      ],
  ],
  ({ Profile }, _index, { profiles }) => {
    const named: [string[], string | undefined][] = [
      [['Profile', 'default'], Profile?.default],
      ...Object.entries(Profile?.map ?? {}).map(([value, name]): [string[], string] => [
        ['Profile', 'map', value],
        name,
      ]),
    ];
    return named.map(
      ([path, name]) =>
        name !== undefined &&
        !profiles.includes(name) && [path, `is '${name}', which is not a profile.`, suggestion(name, profiles)],
    );
  },
];

/** Returns the problems of `Auth.Issuers` and `Http.PublicUrl` that the schema does not find (docs/spec/tokens.md#issuers). */
export function issuerProblems(
  { Auth, Http, Profiles = {} }: Partial<ParsedSettings>,
  places: Places,
): SettingsProblem[] {
  const issuers = (Auth?.Issuers ?? []).map((issuer: PartialIssuer | undefined) => issuer ?? {});
  const settings = { issuers, profiles: [...Object.keys(Profiles), BUILT_IN_PROFILE] };
  const problems = issuers.flatMap((issuer, index) =>
    CHECKS.flatMap((check) => check(issuer, index, settings))
      .filter((finding) => finding !== false && finding !== undefined)
      .map(([path, message, hint]) => {
        const key = path.reduce(joinKey, `Auth.Issuers[${index}]`);
        return problem(places, ['Auth', 'Issuers', index, ...path], { key, message: `${key} ${message}`, hint });
      }),
  );
  return [...problems, ...publicUrlProblems(Http?.PublicUrl, places)];
}

function publicUrlProblems(url: string | undefined, places: Places): SettingsProblem[] {
  if (!url || (isSecureUrl(url) && /^[^?#@]*[^?#@/]$/.test(url))) return [];
  const key = 'Http.PublicUrl';
  const message = isSecureUrl(url)
    ? `${key} has a user, a query, a fragment, or a '/' at its end.`
    : `${key} is not an https URL.`;
  const hint = isSecureUrl(url) ? 'Write it as clients do: https://tools.example.com/mcp.' : WRITE_HTTPS;
  return [problem(places, ['Http', 'PublicUrl'], { key, message, hint })];
}

const problem = (places: Places, path: SettingPath, details: { key: string; message: string; hint: string }) =>
  problemAt(placeOf(places, path).origin, details);
