import * as z from 'zod/mini'
import { insures, servicing } from './tariff.ts'
import { inFive, productCode } from './texts.ts'

/** The files of catalogue/documents: texts for all products or for some. They are versioned, as a policy keeps its own. */

const version = z.string().check(z.regex(/^\d{4}-\d{2}(?:\.\d+)?$/))
const codes = z.array(productCode).check(z.minLength(1))

/**
 * A text for every product, for some, for all but some, or for those with certain terms or insured people. Text and rule thus cannot differ.
 * `{names}` are replaced by the product's own figures (information.ts).
 */
const passage = z.strictObject({
  for: z.optional(codes),
  except: z.optional(codes),
  servicing: z.optional(z.strictObject({ before: servicing.shape.before, during: servicing.shape.during })),
  insures: z.optional(insures),
  text: inFive,
})
export type Passage = z.output<typeof passage>

/** The nine questions of the information document: Commission Implementing Regulation (EU) 2017/1469, article 4. */
export const questions = ['type', 'insured', 'notInsured', 'restrictions', 'where', 'obligations', 'payment', 'period', 'cancel'] as const
export type QuestionId = (typeof questions)[number]

export const informationFile = z.strictObject({
  version,
  title: inFive,
  questions: z.array(z.strictObject({ id: z.enum(questions), heading: inFive, passages: z.array(passage) })),
})
export type InformationFile = z.output<typeof informationFile>

/** An article begins with the IPID's answers to these questions, so that the two cannot differ. */
const article = z.strictObject({
  for: z.optional(codes),
  except: z.optional(codes),
  heading: inFive,
  answers: z.optional(z.array(z.enum(questions))),
  passages: z.array(passage),
})

export const conditionsFile = z.strictObject({ version, title: inFive, articles: z.array(article).check(z.minLength(1)) })
export type ConditionsFile = z.output<typeof conditionsFile>
