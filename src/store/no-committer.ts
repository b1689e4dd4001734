import { AnsweredElsewhere } from '../lib/answered-elsewhere.ts'
import { Committer } from './commit.ts'

/** A write that a thread which only reads was asked for: another thread answers that request. */
class NotWrittenHere extends AnsweredElsewhere {}

/** Stands where a committer stands in what may only read: says that a write was asked for, and refuses it. */
export class NoCommitter extends Committer {
  /** Told of each write that was refused. */
  refused: () => void = () => {}

  override run<T>(): Promise<T> {
    this.refused()
    return Promise.reject(new NotWrittenHere('nothing is written here'))
  }

  override now(): never {
    this.refused()
    throw new NotWrittenHere('nothing is written here')
  }

  override flush(): void {}
}
