/** An image that clients can show beside a tool, a resource or a prompt, as MCP 2025-11-25 defines it. */
export interface Icon {
  /** `https:` or `data:image/…`. */
  src: string;
  mimeType?: string;
  /** `48x48`, or `any` for an image that scales. */
  sizes?: string[];
  /** The background that the image is designed for. */
  theme?: 'light' | 'dark';
}
