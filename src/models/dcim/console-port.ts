import { ConsolePortSpeedChoices, ConsolePortTypeChoices } from '../../choices/dcim.ts'
import { cabledComponentFilters, cabledOptions, componentOf, pathEnd } from '../../domain/component-fields.ts'
import { prepareComponent } from '../../domain/places.ts'
import { traceAction } from '../../domain/trace.ts'
import { choice, description } from '../../fields/index.ts'
import { choiceFilter } from '../../filters/choice.ts'
import { pathEndpointFilters } from '../../filters/dcim.ts'
import { CharLookupsNoEmpty } from '../../filters/filter.ts'
import { behaviour, model } from '../../registry/model.ts'

export const consolePort = model(
  'dcim.consoleport',
  {
    ...componentOf('consoleports'),
    type: choice(ConsolePortTypeChoices, { blank: true, dbNull: true }),
    speed: choice(ConsolePortSpeedChoices, { nullable: true, single: true, filter: false }),
    description,
    ...pathEnd,
  },
  {
    path: 'dcim/console-ports',
    label: 'console port',
    plural: 'console ports',
    objectName: 'ConsolePort',
    ...cabledOptions,
    filters: {
      ...cabledComponentFilters,
      ...pathEndpointFilters,
      speed: choiceFilter('speed', ConsolePortSpeedChoices, { single: true, lookups: CharLookupsNoEmpty }),
    },
  },
)

behaviour(consolePort, {
  actions: traceAction('dcim.consoleport'),
  prepare: (event) => prepareComponent(event),
})
