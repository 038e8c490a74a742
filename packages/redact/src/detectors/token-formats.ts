import { charSet, isIn } from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';

/** The format of one kind of token of a provider. */
export interface TokenFormat {
  readonly provider: string;
  /**
   * Texts of at least three characters. Every token begins with one of them or, with `before`, contains it. Case
   * matters.
   */
  readonly literals: readonly string[];
  /**
   * Must match directly after the literal. The token then extends over all `suffixChars`. The expression is sticky and
   * has no unbounded quantifier.
   */
  readonly after: RegExp;
  /**
   * Returns the first position from `at` on at which `after` can match. It keeps the scan linear in texts that repeat
   * the literal many times.
   */
  readonly firstPossibleMatch?: (text: Text, at: number) => number;
  /** The characters that a token has before the literal, and their minimum number. */
  readonly before?: { readonly chars: string; readonly min: number };
  /** The inside of a regular expression's brackets. Default `A-Za-z0-9_-`. */
  readonly suffixChars?: string;
  /** True if the literal is not part of the secret and stays in the text. */
  readonly keepsLiteral?: true;
}

const LETTER = charSet('A-Za-z');
const DASH = charSet('_-');
const DIGIT = charSet('\\d');

/**
 * Returns the first position from `from` on that either begins a run of `letterCount` letters, or has a digit after at
 * most `reach` letters and dashes. Each character is examined only a few times, however often the function is called
 * for the same run.
 */
function beforeDigits(text: Text, from: number, letterCount: number, reach: number): number {
  let wordStart = from;
  let at = from;
  for (; at - wordStart < letterCount && (isIn(text, at, LETTER) || isIn(text, at, DASH)); at++) {
    if (isIn(text, at, DASH)) wordStart = at + 1;
  }
  if (at - wordStart === letterCount) return wordStart;
  return isIn(text, at, DIGIT) ? Math.max(from, Math.min(wordStart, at - reach)) : at;
}

const hex = (count: number) => new RegExp(`[\\da-f]{${count}}`, 'iy');
const alphanumeric = (count: number) => new RegExp(`[A-Za-z\\d]{${count}}`, 'y');
const word = (count: number) => new RegExp(`[\\w-]{${count}}`, 'y');
const base64 = (count: number) => new RegExp(`[\\w+/=-]{${count}}`, 'y');
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/iy;
const BASE64 = 'A-Za-z0-9+/=_-';
const DOTTED = 'A-Za-z0-9._-';
const PATH = 'A-Za-z0-9/._=@-';

/** The first characters of snowflake ids in Base64: a digit from 1 to 9, then another digit. */
const DISCORD_STARTS = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].flatMap((start) =>
  [...'AEIMQUYcgk'].map((third) => start + third),
);

/**
 * Token formats of well-known providers. Prefixes are from their documentation; lengths are a little below the real
 * ones.
 */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  {
    provider: 'private keys in Base64, as in kubeconfig:',
    // -----BEGIN, then PRIVATE, RSA PRIVATE, EC PRIVATE, OPENSSH PRIVATE, ENCRYPTED PRIVATE.
    literals: [
      ...[
        'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS',
        'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt',
        'LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS',
      ],
      ...['LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg', 'LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS'],
    ],
    after: /[A-Za-z0-9+/]{8}/y,
    suffixChars: 'A-Za-z0-9+/=',
  },
  { provider: 'GitHub', literals: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], after: alphanumeric(16) },
  { provider: 'GitHub', literals: ['github_pat_'], after: word(20) },
  {
    provider: 'GitLab',
    literals: [
      'glpat-',
      'gloas-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'glffct-',
      'GR1348941',
    ],
    after: word(16),
    suffixChars: DOTTED,
  },
  { provider: 'Bitbucket', literals: ['ATBB', 'ATCTT3', 'ATATT3'], after: word(24), suffixChars: BASE64 },
  { provider: 'npm', literals: ['npm_'], after: alphanumeric(20) },
  { provider: 'NuGet', literals: ['oy2'], after: /[a-z\d]{30}/y },
  { provider: 'PyPI', literals: ['pypi-'], after: word(32) },
  { provider: 'RubyGems', literals: ['rubygems_'], after: hex(32) },
  { provider: 'crates.io', literals: ['cio'], after: alphanumeric(32) },
  { provider: 'Docker', literals: ['dckr_pat_', 'dckr_oat_'], after: word(20) },
  { provider: 'JFrog', literals: ['AKCp', 'cmVmdGtuO'], after: alphanumeric(50) },
  { provider: 'AWS', literals: ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3T'], after: /[A-Z\d]{16}/y },
  { provider: 'AWS', literals: ['X-Amz-Signature='], after: hex(32), keepsLiteral: true },
  { provider: 'AWS Bedrock', literals: ['ABSK'], after: base64(100), suffixChars: BASE64 },
  {
    provider: 'Azure Entra',
    literals: ['7Q~', '8Q~'],
    before: { chars: 'A-Za-z0-9~._-', min: 3 },
    after: /[\w~.-]{31}/y,
    suffixChars: 'A-Za-z0-9~._-',
  },
  {
    provider: 'Azure Storage',
    literals: ['+ASt'],
    before: { chars: 'A-Za-z0-9+/', min: 70 },
    after: base64(8),
    suffixChars: BASE64,
  },
  {
    provider: 'Azure',
    literals: ['AzFu', 'AzSe', '+ACR', '+ABa', '+AMC', '+AIoT', '+ASb', '+AEh', '+ARm', 'ACDb'],
    before: { chars: 'A-Za-z0-9+/', min: 30 },
    after: base64(6),
    suffixChars: BASE64,
  },
  { provider: 'Azure', literals: ['JQQJ99'], before: { chars: 'A-Za-z0-9', min: 40 }, after: alphanumeric(20) },
  { provider: 'Azure DevOps', literals: ['AZDO'], before: { chars: 'A-Za-z0-9', min: 70 }, after: alphanumeric(4) },
  { provider: 'Aspire', literals: ['/login?t='], after: hex(16), keepsLiteral: true },
  {
    provider: 'Teams',
    literals: ['.webhook.office.com/webhookb2/'],
    after: /[\w@-]{8}/y,
    suffixChars: PATH,
    keepsLiteral: true,
  },
  { provider: 'Google', literals: ['AIza'], after: word(30) },
  { provider: 'Google', literals: ['ya29.', 'GOCSPX-'], after: word(16), suffixChars: DOTTED },
  { provider: 'Google', literals: ['1//0'], after: word(30) },
  {
    provider: 'Slack',
    literals: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-', 'xwfp-'],
    after: /[\w.-]{10}/y,
    suffixChars: DOTTED,
  },
  { provider: 'Slack', literals: ['xoxd-'], after: /[\w.%-]{10}/y, suffixChars: 'A-Za-z0-9._%-' },
  {
    provider: 'Slack',
    literals: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    after: /[\w/]{10}/y,
    suffixChars: PATH,
    keepsLiteral: true,
  },
  {
    provider: 'Discord',
    literals: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    after: /[\w/]{10}/y,
    suffixChars: PATH,
    keepsLiteral: true,
  },
  { provider: 'Discord', literals: DISCORD_STARTS, after: /[\w-]{20,26}\.[\w-]{6}\.[\w-]{27}/y },
  { provider: 'Telegram', literals: [':AA'], before: { chars: '0-9', min: 8 }, after: word(32) },
  {
    provider: 'Stripe',
    literals: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_org_'],
    after: alphanumeric(10),
  },
  { provider: 'Stripe', literals: ['whsec_'], after: base64(16), suffixChars: BASE64 },
  {
    provider: 'OpenAI, Anthropic, OpenRouter and others',
    literals: ['sk-'],
    after: /(?:[A-Za-z\d]{20}|(?=[A-Za-z_-]{0,60}?\d)[\w-]{20})/y,
    firstPossibleMatch: (text, at) => beforeDigits(text, at, 20, 60),
  },
  { provider: 'OpenAI, Anthropic', literals: ['sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-admin-'], after: word(12) },
  { provider: 'Hugging Face', literals: ['hf_', 'api_org_'], after: alphanumeric(20) },
  { provider: 'Groq', literals: ['gsk_'], after: alphanumeric(32) },
  { provider: 'xAI', literals: ['xai-'], after: alphanumeric(40) },
  { provider: 'Perplexity', literals: ['pplx-'], after: alphanumeric(32) },
  { provider: 'Replicate', literals: ['r8_'], after: alphanumeric(30) },
  { provider: 'SendGrid', literals: ['SG.'], after: /[\w-]{16,64}\.[\w-]{16}/y, suffixChars: DOTTED },
  { provider: 'Twilio', literals: [...'0123456789abcdef'].map((digit) => `SK${digit}`), after: hex(31) },
  { provider: 'Brevo', literals: ['xkeysib-', 'xsmtpsib-'], after: hex(32) },
  { provider: 'Resend', literals: ['re_'], after: /[A-Za-z\d]{8}_[A-Za-z\d]{20}/y },
  { provider: 'Shopify', literals: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'], after: hex(24) },
  { provider: 'Square', literals: ['sq0atp-', 'sq0csp-', 'sq0idp-'], after: word(20) },
  { provider: 'Square', literals: ['EAAA'], after: word(50) },
  { provider: 'DigitalOcean', literals: ['dop_v1_', 'doo_v1_', 'dor_v1_'], after: hex(32) },
  { provider: 'Databricks', literals: ['dapi'], after: /[\da-f]{32}/y },
  { provider: 'Vault', literals: ['hvs.', 'hvb.', 'hvr.'], after: word(20) },
  { provider: 'Terraform Cloud', literals: ['.atlasv1.'], before: { chars: 'A-Za-z0-9', min: 14 }, after: word(50) },
  {
    provider: 'Doppler',
    literals: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    after: /[\w.-]{24}/y,
    suffixChars: DOTTED,
  },
  { provider: 'age', literals: ['AGE-SECRET-KEY-1'], after: /[A-Z\d]{30}/iy },
  { provider: 'Cloudflare', literals: ['cfat_', 'cfut_'], after: word(30) },
  { provider: 'Fly.io', literals: ['fo1_', 'fm1_', 'fm1a_', 'fm1r_', 'fm2_'], after: base64(20), suffixChars: BASE64 },
  { provider: 'Netlify', literals: ['nfp_'], after: alphanumeric(30) },
  { provider: 'Supabase', literals: ['sbp_', 'sb_secret_'], after: word(20) },
  {
    provider: 'PlanetScale',
    literals: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    after: word(30),
    suffixChars: DOTTED,
  },
  { provider: 'Pulumi', literals: ['pul-'], after: hex(40) },
  { provider: 'Tailscale', literals: ['tskey-'], after: word(16) },
  { provider: '1Password', literals: ['ops_eyJ'], after: word(30) },
  { provider: 'New Relic', literals: ['NRAK-', 'NRJS-', 'NRII-', 'NRRA-'], after: word(19) },
  { provider: 'Grafana', literals: ['glsa_', 'glc_'], after: word(30), suffixChars: BASE64 },
  { provider: 'Sentry', literals: ['sntrys_', 'sntryu_'], after: word(30), suffixChars: BASE64 },
  { provider: 'Dynatrace', literals: ['dt0c01.', 'dt0s01.', 'dt0s02.'], after: /[A-Z\d]{20}/y, suffixChars: DOTTED },
  { provider: 'SonarQube', literals: ['sqa_', 'sqp_', 'squ_'], after: hex(40) },
  { provider: 'Octopus', literals: ['API-'], after: /[A-Z\d]{25}/y },
  { provider: 'Linear', literals: ['lin_api_', 'lin_oauth_'], after: alphanumeric(30) },
  { provider: 'Notion', literals: ['ntn_'], after: alphanumeric(40) },
  { provider: 'Notion', literals: ['secret_'], after: /[A-Za-z\d]{43}/y },
  { provider: 'Figma', literals: ['figd_', 'figo_'], after: word(30) },
  { provider: 'Airtable', literals: ['pat'], after: /[A-Za-z\d]{14}\.[\da-f]{64}/y },
  { provider: 'Postman', literals: ['PMAK-'], after: /[\da-f]{24}-[\da-f]{34}/iy },
  { provider: 'CircleCI', literals: ['CCIPAT_', 'CCIPRJ_'], after: word(30) },
  { provider: 'Buildkite', literals: ['bkua_'], after: hex(40) },
  { provider: 'Alibaba Cloud', literals: ['LTAI'], after: alphanumeric(16) },
  { provider: 'Mapbox', literals: ['sk.eyJ'], after: word(20), suffixChars: DOTTED },
  { provider: 'Contentful', literals: ['CFPAT-'], after: word(40) },
  { provider: 'Atlassian', literals: ['ATSTT3'], after: word(40), suffixChars: BASE64 },
  {
    provider: 'Zapier',
    literals: ['hooks.zapier.com/hooks/catch/'],
    after: /[\w/]{8}/y,
    suffixChars: PATH,
    keepsLiteral: true,
  },
  { provider: '1Password', literals: ['A3-'], after: /[A-Z\d]{6}-[A-Z\d]{11}(?:-[A-Z\d]{5}){3}/y },
  { provider: 'Adafruit IO', literals: ['aio_'], after: alphanumeric(26) },
  { provider: 'Adobe', literals: ['p8e-'], after: /[a-z\d]{30}/iy },
  { provider: 'Apify', literals: ['apify_api_'], after: alphanumeric(30) },
  {
    provider: 'Asana',
    literals: ['0/1', '1/1', '1/2', '2/1', '2/2'],
    after: /\d{12,16}(?:\/\d{12,17})?:[\da-f]{32}/y,
  },
  { provider: 'Clojars', literals: ['CLOJARS_'], after: /[a-z\d]{50}/iy },
  { provider: 'Cloudflare', literals: ['v1.0-'], after: /[\da-f]{24}-[\da-f]{146}/y },
  { provider: 'Cloudinary', literals: ['cloudinary://'], after: /\d{10,20}:[\w-]{20}/y, keepsLiteral: true },
  { provider: 'Defined Networking', literals: ['dnkey-'], after: word(40) },
  { provider: 'Dropbox', literals: ['sl.'], after: /(?:u\.)?[\w-]{120}/y },
  { provider: 'Duffel', literals: ['duffel_live_', 'duffel_test_'], after: word(40) },
  { provider: 'EasyPost', literals: ['EZAK', 'EZTK'], after: alphanumeric(50) },
  { provider: 'Facebook', literals: ['EAAB', 'EAAC', 'EAAD', 'EAAG', 'EAAM'], after: alphanumeric(80) },
  {
    provider: 'Fireworks AI',
    literals: ['fw_'],
    after: /(?=[A-Za-z]{0,20}\d|[A-Z]{0,20}[a-z][A-Za-z]{0,19}[A-Z]{2})[A-Za-z\d]{22}/y,
  },
  { provider: 'Flutterwave', literals: ['FLWSECK-', 'FLWSECK_TEST-'], after: hex(12) },
  { provider: 'Frame.io', literals: ['fio-u-'], after: word(60) },
  { provider: 'GitLab', literals: ['_gitlab_session='], after: hex(32), keepsLiteral: true },
  { provider: 'Harness', literals: ['pat.', 'sat.'], after: /[\w-]{22}\.[\da-f]{24}\.[A-Za-z\d]{20}/iy },
  { provider: 'Heroku', literals: ['HRKU-'], after: word(36) },
  { provider: 'HubSpot', literals: ['pat-na1-', 'pat-na2-', 'pat-eu1-'], after: UUID },
  { provider: 'Infracost', literals: ['ico-'], after: alphanumeric(30) },
  { provider: 'LangSmith', literals: ['lsv2_pt_', 'lsv2_sk_'], after: /[\da-f]{32}_[\da-f]{8}/y },
  { provider: 'LaunchDarkly', literals: ['api-', 'sdk-', 'rel-'], after: UUID },
  { provider: 'Mailchimp', literals: ['-us'], before: { chars: 'a-f0-9', min: 32 }, after: /\d{1,2}(?![\w-])/y },
  { provider: 'Mailgun', literals: ['key-', 'pubkey-'], after: /[\da-f]{32}/y },
  { provider: 'MaxMind', literals: ['_mmk'], before: { chars: 'A-Za-z0-9_', min: 36 }, after: /(?!\w)/y },
  // Names of tests are as long, at times: they have digits at their end only, and not two words of capital letters.
  {
    provider: 'Mollie',
    literals: ['live_', 'test_'],
    after:
      /(?=[A-Za-z]{0,24}\d|[A-Za-z]{25,28}\d{1,4}[A-Za-z]|[A-Za-z]{0,26}[A-Z]{2}[A-Za-z]{0,25}[a-z][A-Z]{2})[A-Za-z\d]{30}(?!\w)/y,
  },
  { provider: 'MongoDB Atlas', literals: ['mdb_sa_sk_'], after: word(30) },
  { provider: 'Neon', literals: ['napi_'], after: /[a-z\d]{50}/y },
  { provider: 'New Relic', literals: ['NRAL'], before: { chars: 'a-f0-9', min: 36 }, after: /(?!\w)/y },
  { provider: 'Okta', literals: ['SSWS '], after: word(30), keepsLiteral: true },
  { provider: 'OpenShift', literals: ['sha256~'], after: word(43) },
  { provider: 'PayPal', literals: ['access_token$'], after: /(?:production|sandbox)\$[a-z\d]{16}\$[\da-f]{32}/y },
  { provider: 'Pinecone', literals: ['pcsk_'], after: /[A-Za-z\d]{4,8}_[A-Za-z\d]{40}/y },
  { provider: 'Plaid', literals: ['access-sandbox-', 'access-development-', 'access-production-'], after: UUID },
  { provider: 'PostHog', literals: ['phx_'], after: alphanumeric(36) },
  { provider: 'Prefect', literals: ['pnu_', 'pnb_'], after: alphanumeric(36) },
  { provider: 'Razorpay', literals: ['rzp_live_', 'rzp_test_'], after: alphanumeric(14) },
  { provider: 'ReadMe', literals: ['rdme_'], after: /[a-z\d]{60}/y },
  { provider: 'Render', literals: ['rnd_'], after: alphanumeric(24) },
  { provider: 'Salesforce', literals: ['00D'], after: /[A-Za-z\d]{9,15}![\w.]{80}/y, suffixChars: DOTTED },
  { provider: 'Scalingo', literals: ['tk-us-'], after: word(40) },
  { provider: 'Shippo', literals: ['shippo_live_', 'shippo_test_'], after: hex(32) },
  { provider: 'Sourcegraph', literals: ['sgp_'], after: /(?:(?:[\da-f]{16}|local)_)?[\da-f]{40}/y },
  {
    provider: 'Statsig',
    literals: ['secret-', 'console-'],
    after: /(?=[A-Za-z]{0,40}\d|[A-Za-z]{0,38}[A-Z]{2})[A-Za-z\d]{40}/y,
  },
  { provider: 'Tavily', literals: ['tvly-'], after: /(?:dev-|prod-)?[A-Za-z\d]{24}/y },
  { provider: 'Together AI', literals: ['tgp_v1_'], after: word(36) },
  { provider: 'Twitch', literals: ['oauth:'], after: /[a-z\d]{30}(?!\w)/y, keepsLiteral: true },
  { provider: 'Typeform', literals: ['tfp_'], after: word(40) },
  { provider: 'Vercel', literals: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], after: alphanumeric(24) },
  { provider: 'Weights & Biases', literals: ['wandb_v1_'], after: word(60) },
  { provider: 'Yandex Cloud', literals: ['AQVN'], after: word(35) },
  { provider: 'Yandex Cloud', literals: ['t1.'], after: /[\w-]{20,200}\.[\w-]{80}/y },
  {
    provider: 'PASETO',
    literals: ['v1.local.', 'v2.local.', 'v3.local.', 'v4.local.'],
    after: word(30),
    suffixChars: DOTTED,
  },
  {
    provider: 'PASETO',
    literals: ['v1.public.', 'v2.public.', 'v3.public.', 'v4.public.', 'k4.local.', 'k4.secret.'],
    after: word(30),
    suffixChars: DOTTED,
  },
  { provider: 'ASP.NET data protection', literals: ['CfDJ8'], after: word(40) },
  { provider: 'ElevenLabs', literals: ['sk_'], after: /[\da-f]{48}(?!\w)/y },
  { provider: 'Cerebras', literals: ['csk-'], after: /(?=[a-z]{0,30}\d)[a-z\d]{40}/y },
  { provider: 'Firecrawl', literals: ['fc-'], after: /[\da-f]{32}/y },
  { provider: 'E2B', literals: ['e2b_'], after: hex(40) },
  { provider: 'Axiom', literals: ['xaat-', 'xapt-'], after: UUID },
  { provider: 'Honeycomb', literals: ['hcaik_', 'hcbik_', 'hcxik_'], after: alphanumeric(30) },
  { provider: 'Paddle', literals: ['pdl_live_apikey_', 'pdl_sdbx_apikey_'], after: word(40) },
  { provider: 'Linear', literals: ['lin_wh_'], after: alphanumeric(30) },
  { provider: 'MailerSend', literals: ['mlsn.'], after: hex(40) },
  { provider: 'Stripe', literals: ['sk_org_live_', 'sk_org_test_'], after: alphanumeric(16) },
  {
    provider: 'Alchemy',
    literals: ['.g.alchemy.com/v2/', '.alchemyapi.io/v2/'],
    after: word(24),
    keepsLiteral: true,
  },
  { provider: 'Infura', literals: ['.infura.io/v3/', '.infura.io/ws/v3/'], after: hex(32), keepsLiteral: true },
  {
    provider: 'HTTP',
    literals: ['Bearer ', 'bearer ', 'BEARER '],
    after: /[ \t]{0,8}(?=[\w.~+/=-]{0,64}\d)[\w.~+/=-]{20}/y,
    suffixChars: 'A-Za-z0-9._~+/=-',
    keepsLiteral: true,
  },
  {
    provider: 'HTTP',
    literals: ['Basic ', 'basic '],
    after: /[ \t]{0,8}[A-Za-z\d+/]{6,512}={1,2}/y,
    suffixChars: BASE64,
    keepsLiteral: true,
  },
];
