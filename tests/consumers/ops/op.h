// Of the consumer: Indexical has a header of this name, too.
#ifndef CONSUMER_OPS_OP_H
#define CONSUMER_OPS_OP_H

inline constexpr char kConsumer[] = "consumer of";

#endif
