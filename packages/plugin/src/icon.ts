/** An image that clients may show beside a tool, a resource or a prompt, as MCP 2025-11-25 has it. */
export interface Icon {
  /** `https:` or `data:image/…`. */
  src: string;
  mimeType?: string;
  /** `48x48`, or `any` for an image without a size of its own. */
  sizes?: string[];
  /** The background that it is made for. */
  theme?: 'light' | 'dark';
}
