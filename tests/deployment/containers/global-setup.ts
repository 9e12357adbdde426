/** Builds the image once for all test files, with the section "build" of compose.yaml. */
import { makeNodeImage, makeServiceImages } from '../../support/containers/base-images.ts'
import { buildImage } from '../../support/containers/image.ts'

export const globalSetup = async (): Promise<void> => {
  await makeNodeImage()
  await Promise.all([buildImage(), makeServiceImages()])
}
