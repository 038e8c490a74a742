import { configValue } from './config-value.js';
import { createLogger, type Logger } from './logger.js';

/** The argument of a class tool's constructor. In tests: `new PluginContext({config: {api_key: 'k'}})`. */
export class PluginContext {
  /** Names the plugin and the class in each line. Without the option `logger` it discards all lines. */
  readonly logger: Logger;
  /**
   * The setting as a string, or null: `<key>` of the plugin's own section `Plugins.Settings.<plugin>`, otherwise of
   * `Plugins.Config` (docs/spec/configuration.md#own-section). Keys are case-insensitive, and `A:B` is the member B of
   * the object A. Numbers and booleans are converted to strings; objects, arrays and missing keys are null.
   */
  readonly getConfig: (key: string) => string | null;

  constructor(options: { config?: Readonly<Record<string, unknown>>; logger?: Logger } = {}) {
    const { config = {}, logger = createLogger(() => {}) } = options;
    this.logger = logger;
    this.getConfig = (key) => configValue(config, key);
  }
}
