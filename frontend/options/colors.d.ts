/** What the color editor needs of a draft of the config. */
interface Draft {
  /** The value of a setting below `appConfig`. */
  setting(name: string): unknown
  /** Changes a setting below `appConfig`; `label` is shown by undo. */
  changeSetting(name: string, value: unknown, label: string): void
}

/** Opens the colors of a draft. */
export function open(draft: Draft): Promise<void>

/** Opens the colors of this browser, or in edit mode those of the draft. On closing, the focus returns to `opener`. */
export default function openOwn(opener: HTMLElement): Promise<void>
