/** The audience of a block and its priority (0 to 1), as MCP defines them. */
export interface BlockAnnotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}

interface BlockExtras {
  annotations?: BlockAnnotations;
  _meta?: Record<string, unknown>;
}

export interface TextBlock extends BlockExtras {
  type: 'text';
  text: string;
}

/** An image; `data` is base64. */
export interface ImageBlock extends BlockExtras {
  type: 'image';
  data: string;
  mimeType: string;
}

/** Audio; `data` is base64. */
export interface AudioBlock extends BlockExtras {
  type: 'audio';
  data: string;
  mimeType: string;
}

export interface ResourceLinkBlock extends BlockExtras {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
}

export interface ResourceBlock extends BlockExtras {
  type: 'resource';
  resource: ResourceContents;
}

/** The content of a resource: text, or `blob` in base64. */
export type ResourceContents =
  | { uri: string; mimeType?: string; text: string; _meta?: Record<string, unknown> }
  | { uri: string; mimeType?: string; blob: string; _meta?: Record<string, unknown> };

/** A content block of MCP: a part of a result that a model or a person sees. */
export type ContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceLinkBlock | ResourceBlock;
