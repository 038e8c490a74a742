/** The properties and item types to read. The case of names does not matter, as in MSBuild. */
export interface EvaluationQuery {
  readonly properties: readonly string[];
  readonly itemTypes: readonly string[];
}

export interface Item {
  readonly include: string;
  /** The absolute path to which `include` resolves. */
  readonly fullPath: string;
  /** The metadata, without the well-known ones that every item has. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Evaluation {
  /** Empty for the outer evaluation of a multi-targeted project. */
  readonly framework: string;
  /** The values by the requested names; empty for properties that are not set. */
  readonly properties: Readonly<Record<string, string>>;
  /** The items by the requested types. */
  readonly items: Readonly<Record<string, readonly Item[]>>;
}

/** Properties by name, as on MSBuild's command line. They override the values in the project. */
export type GlobalProperties = Readonly<Record<string, string>>;
