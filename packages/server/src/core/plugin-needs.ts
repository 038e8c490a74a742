/** What a plugin may do, or declares that it has to do (docs/spec/plugins.md#confinement). */
export interface PluginNeeds {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly network?: boolean;
  readonly run?: boolean;
}
