// Unpacks the Chromium of the development dependencies, once a machine: test files that run side by side must not do it at once.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
