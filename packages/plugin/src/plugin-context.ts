import { configValue } from './config-value.js';
import { createLogger, type Logger } from './logger.js';

/** What a class tool's constructor is called with. In tests: `new PluginContext({config: {api_key: 'k'}})`. */
export class PluginContext {
  /** Scoped to the plugin and the class; without one in the options it writes nowhere. */
  readonly logger: Logger;
  /**
   * A setting as text, or null: `<key>` of the plugin's own section `Plugins.Settings.<plugin>`, else of `Plugins.Config`
   * (docs/spec/configuration.md#own-section). Keys are case-insensitive, `A:B` walks into objects, numbers and booleans come as their
   * text; objects, arrays and missing keys are null.
   */
  readonly getConfig: (key: string) => string | null;

  constructor(options: { config?: Readonly<Record<string, unknown>>; logger?: Logger } = {}) {
    const { config = {}, logger = createLogger(() => {}) } = options;
    this.logger = logger;
    this.getConfig = (key) => configValue(config, key);
  }
}
