// The schemas and checks that only servers with identity providers or replicas need. `load.ts` imports this file if the
// settings name any of them.
import { issuerProblems } from './check-issuers.js';
import { stateProblems } from './check-state.js';
import { ISSUER } from './issuer-settings.js';
import type { Places } from './resolve-settings.js';
import { record, type SettingSchema } from './setting-schema.js';
import type { SettingsProblem } from './settings-error.js';
import { type ParsedSettings, SETTINGS_SCHEMA } from './settings-table.js';
import { REDIS } from './state-settings.js';

export { storePasswords } from './check-state.js';

const { properties } = SETTINGS_SCHEMA;
const { Issuers } = properties.Auth.properties;
const { Redis } = properties.State.properties;

const withProperties = (section: SettingSchema, more: SettingSchema['properties']): SettingSchema => ({
  ...section,
  properties: { ...section.properties, ...more },
});

/** The table of all settings, with the schemas of `Auth.Issuers` and `State.Redis`. */
export const COMPLETE_SCHEMA = record({
  ...properties,
  Auth: withProperties(properties.Auth, { Issuers: { ...Issuers, items: ISSUER } }),
  State: withProperties(properties.State, { Redis: { ...Redis, ...REDIS } }),
});

/** Returns the problems of issuers and shared state that the schema does not find. */
export const rareProblems = (settings: ParsedSettings, places: Places): SettingsProblem[] => [
  ...issuerProblems(settings, places),
  ...stateProblems(settings, places),
];
