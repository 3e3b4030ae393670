import { goToExternalSignIn, hasExternalSignIn } from './external-sign-in.ts'
import { type SessionUser, useSession } from './session.ts'

/** The calls that wait for this user to sign in again. */
type Waiting = PromiseWithResolvers<boolean> & { uuid: string | undefined }

/** Handles a session that ends while a page is open. `show` shows or hides the sign-in over it; `leave` opens the sign-in page. */
export function openEndedSession(show: (isEnded: boolean) => void, leave: () => Promise<void>) {
  let waiting: Waiting | undefined

  function answer(isSignedIn: boolean): void {
    show(false)
    waiting?.resolve(isSignedIn)
    waiting = undefined
  }
  async function giveUp(): Promise<void> {
    answer(false)
    await leave()
  }
  return {
    /** Asks the user to sign in again. Returns true once they have, and false if they give up. */
    end: (): Promise<boolean> => {
      if (hasExternalSignIn()) return goToExternalSignIn(window.location.pathname + window.location.search)
      show(true)
      waiting ??= { ...Promise.withResolvers<boolean>(), uuid: useSession.getState().user?.uuid }
      return waiting.promise
    },
    /** Continues the waiting calls after the user has signed in. */
    resume: async (user: SessionUser): Promise<void> => {
      if (user.uuid === waiting?.uuid) return answer(true)
      // Another user must not see anything that was entered here.
      await giveUp()
      window.location.assign('/')
    },
    giveUp,
  }
}
