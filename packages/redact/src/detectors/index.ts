import type { SecretDetector } from '../scanning/scan.js';
import { commands } from './commands.js';
import { credentialCalls } from './credential-calls.js';
import { jsonWebKeys, jwt } from './json-web.js';
import { netrc } from './netrc.js';
import { pem } from './pem.js';
import { providerTokens } from './provider-tokens.js';
import { querySignatures } from './query-signatures.js';
import { secretKeys } from './secret-keys.js';
import { oracleCredentials, urlCredentials } from './url-credentials.js';
import { workflowCommands } from './workflow-commands.js';

/**
 * The detectors that recognise secrets by their form or the text around them
 * (docs/spec/redaction.md#redaction-detectors).
 */
export const DETECTORS: readonly SecretDetector[] = [
  secretKeys,
  ...querySignatures,
  urlCredentials,
  oracleCredentials,
  netrc,
  pem,
  jwt,
  ...providerTokens,
  workflowCommands,
  ...commands,
  ...credentialCalls,
  jsonWebKeys,
];
