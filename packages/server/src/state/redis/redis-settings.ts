import type { Settings } from '../../settings/settings.js';

/** The settings of the store. */
export type RedisSettings = NonNullable<Settings['State']['Redis']>;
