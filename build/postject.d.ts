declare module 'postject' {
  /** Puts bytes into an executable of Linux, Windows or macOS as a section of its own. */
  export function inject(
    file: string,
    section: string,
    bytes: Buffer,
    options: { sentinelFuse?: string; machoSegmentName?: string; overwrite?: boolean },
  ): Promise<void>
}
