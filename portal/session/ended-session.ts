import { goToExternalSignIn, hasExternalSignIn } from './external-sign-in.ts'
import { type SessionUser, useSession } from './session.ts'

/** The calls that wait for a new sign-in of this user. */
type Waiting = PromiseWithResolvers<boolean> & { uuid: string | undefined }

/** Handles a session that ends under the current page. `show` shows or hides the sign-in over it; `leave` leads to the sign-in page. */
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
    /** Lets the waiting calls go on after the user has signed in. */
    resume: async (user: SessionUser): Promise<void> => {
      if (user.uuid === waiting?.uuid) return answer(true)
      // Another user must not see anything that was entered here.
      await giveUp()
      window.location.assign('/')
    },
    giveUp,
  }
}
