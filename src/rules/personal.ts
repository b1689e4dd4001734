import type { WriteEvent } from '../declare/behaviour.ts'

/**
 * Gives what is personal a user where a body names none: what somebody makes on a page is theirs, and so is what they
 * make private while it is nobody's, which all but superusers would lose at once. To the API of NetBox the rest is
 * nobody's.
 */
export function giveMaker({
  row,
  before,
  given,
  tools: { user },
  isEntered,
}: WriteEvent<{ user_id: number | null; shared: 0 | 1 }>): void {
  if ('user' in given || row.user_id !== null) return
  const isMade = !before && isEntered
  const isHidden = !row.shared && before?.shared !== 0 && (isEntered || !user.superuser)
  if (isMade || isHidden) row.user_id = user.id
}
